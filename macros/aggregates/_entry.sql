{#
    What the catalogue has of a call: the entry of its DISTINCT, its WITHIN GROUP or its number of arguments where there
    is one, of the function itself otherwise; Spark's own where the final does not know one percentage from several.
    DISTINCT without an entry is Spark's own, over values that are kept once each. A function that the catalogue does
    not have is one of the session: in Python as long as nothing else is known.
#}
{% macro _entry(call, catalogue, session) %}
    {%- set aliases = event_windows._aliases() -%}
    {%- set name = aliases.get(call.fn, call.fn) -%}
    {%- set variant = '(distinct)' if call.distinct else '(within)' if call.within
        else '(' ~ call.arguments | length ~ ')' -%}
    {%- for candidate in [call.fn ~ variant, name ~ variant] + ([] if call.distinct else [name]) -%}
        {%- set entry = catalogue.get(aliases.get(candidate, candidate)) -%}
        {%- if entry -%}
            {%- set is_clear = '{points}' not in (entry.final or '') or event_windows._percentages(call).are_clear -%}
            {%- set is_served = event_windows._is_at_most(call, entry.most or {}) -%}
            {{- return(entry if is_clear and is_served else event_windows._whole_entry(call, entry)) -}}
        {%- endif -%}
    {%- endfor -%}
    {%- set is_own = call.fn in event_windows._holistic_functions() + (session.others if session else []) -%}
    {%- if call.distinct and (name in catalogue or is_own) -%}
        {{- return(event_windows._distinct_entry()) -}}
    {%- endif -%}
    {{- return(event_windows._holistic_entry() if is_own else event_windows._python_entry(call.fn)) -}}
{% endmacro %}


{# Whether constants of a call are numbers that are not larger than these, {place: number}. #}
{% macro _is_at_most(call, limits) %}
    {%- for place, limit in limits.items() if place < call.arguments | length -%}
        {%- set number = event_windows._written_number(call.arguments[place]) -%}
        {%- if number is none or number > limit %}{{- return(false) -}}{% endif -%}
    {%- endfor -%}
    {{- return(true) -}}
{% endmacro %}


{# The number that a literal is; none for any other text. #}
{% macro _written_number(text) %}
    {%- set literal = modules.re.fullmatch('(?i)((?:\\d+[.]?\\d*|[.]\\d+)(?:e[+-]?\\d+)?)(?:[lsydf]|bd)?', text) -%}
    {{- return(literal.group(1) | float if literal else none) -}}
{% endmacro %}


{# Which of the entries that another has for types of arguments is the one for this type: its name, or none. #}
{% macro _entry_by_type(entry, type) %}
    {%- for name, other in (entry.instead or {}).items() if type and modules.re.match(other.of_type, type) -%}
        {{- return(name) -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{#
    The entry for a value of which nobody knows the type: where it would matter all values are kept, and Spark's own
    function says what they come to.
#}
{% macro _entry_of_any_type(call, entry, order) %}
    {%- set others = (entry.instead or {}).values() | rejectattr('rare') | list -%}
    {%- if not others and not entry.decimal and '{type}' not in (entry.final or '') -%}
        {{- return(entry) -}}
    {%- endif -%}
    {#- without an order of arrival values tell rows of one instant apart, where they have an order -#}
    {%- for other in others if other.fits_all %}{{- return(entry if other.needs_order and not order else other) -}}
    {%- endfor -%}
    {{- return(event_windows._whole_entry(call, entry)) -}}
{% endmacro %}


{# The entry of a call over all its values, which Spark's own function takes. #}
{% macro _whole_entry(call, entry) %}
    {%- set whole = event_windows._distinct_entry() if call.distinct else event_windows._holistic_entry() -%}
    {{- return(dict(
        whole, arguments=entry.arguments, constants=entry.constants or [], clauses=entry.clauses or [],
        final=entry.whole or whole.final
    )) -}}
{% endmacro %}


{# What is wrong with a call, or none. #}
{% macro _call_problem(call, entry) %}
    {%- set least, most = entry.arguments[0], entry.arguments[1] -%}
    {%- set given = call.arguments | length -%}
    {%- set written = call.fn ~ ('(distinct ...)' if call.distinct else '') -%}
    {%- if call.distinct and entry.fn -%}
        {{- return('distinct is not understood in ' ~ call.fn ~ ', an aggregate in Python: allowed are aggregates of '
            ~ 'Spark, such as count(distinct ...), and a Python one that passes over what it has seen') -}}
    {%- elif '' in call.arguments -%}
        {{- return('an argument of ' ~ call.fn ~ ' is empty') -}}
    {%- elif '*' in call.arguments | map('last')
        and (call.distinct or call.fn != 'count' or call.arguments != ['*']) -%}
        {{- return(call.fn ~ '(' ~ ('distinct ' if call.distinct) ~ call.arguments | join(', ')
            ~ ') depends on which columns there are: name them') -}}
    {%- elif given < least or given > most -%}
        {{- return(written ~ ' takes ' ~ (least if least == most else least ~ ' to ' ~ most) ~ ' argument(s), ' ~ given
            ~ ' given') -}}
    {%- endif -%}
    {#- lists and sets keep nulls where RESPECT NULLS says so in Spark 4.2, and not in 4.1 -#}
    {%- for clause, text in {'nulls': call.nulls ~ ' nulls', 'within': 'within group (order by ...)'}.items() -%}
        {%- if call[clause] and clause not in (entry.clauses or []) -%}
            {{- return("'" ~ text ~ "' is not understood after " ~ written) -}}
        {%- endif -%}
    {%- endfor -%}
    {%- if '{within}' in tojson(entry) and not call.within -%}
        {{- return(call.fn ~ ' is written ' ~ call.fn ~ '(percentage) within group (order by expression)') -}}
    {%- elif 'nulls' in (entry.clauses or []) and given == 2
        and (call.arguments[1] | lower not in ('true', 'false') or call.nulls) -%}
        {{- return('the second argument of ' ~ call.fn ~ ' is true (leave nulls out) or false, given '
            ~ call.arguments[1]) -}}
    {%- endif -%}
    {%- for place, least in (entry.least or {}).items() if place < given -%}
        {%- set number = event_windows._written_number(call.arguments[place]) -%}
        {%- if number is none or number < least -%}
            {{- return('argument ' ~ (place + 1) ~ ' of ' ~ call.fn ~ ' is ' ~ call.arguments[place] ~ ': allowed is '
                ~ 'a number, ' ~ least ~ ' or more, as no sketch tells more; count(distinct ...) is exact') -}}
        {%- endif -%}
    {%- endfor -%}
    {%- for place in entry.constants or [] if place < given and call.columns[place] -%}
        {{- return('argument ' ~ (place + 1) ~ ' of ' ~ call.fn ~ " is a constant, '" ~ call.columns[place]
            ~ "' is a column") -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}
