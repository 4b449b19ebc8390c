{#
    What a rollup is, from its text, checked:

    text         the same for texts that differ in blanks and comments
    above        the model that it follows, see _above.sql
    query, keys  what stands before and after that model in the text, and in a query for its groups
    columns      {name: type} of the result, in order; those that the text does not show come last
    groups       the columns that tell its groups; without GROUP BY the rows of the model, of which a join may make
                 several
    several      whether it may
    times        the groups that say where in time their windows lie, see _segments.sql
    file_format  of its table
    zone         the session's time zone, by which days are told
    settings     of the session, that decide values of the same text over the same rows: {what: how it is}
#}
{% macro _rollup_spec(sql) %}
    {%- do event_windows._check_schema() -%}
    {#- before the planner is asked: under some settings it would be given another text -#}
    {%- set asked, format = event_windows._asked_session(), event_windows._rollup_format() -%}
    {%- set session = event_windows._told_session(asked) -%}
    {%- do event_windows._refuse([
        event_windows._of_format(format, 'session_problem', event_windows._session_settings(), asked['name']),
        event_windows._planner_not_there('the text of a rollup')
    ]) -%}
    {%- set read = event_windows._rollup_plan(sql, {}) -%}
    {%- set found = event_windows._find_above(read.tables) -%}
    {%- set inputs = event_windows._described(read.inputs) | map('first') | list -%}
    {%- set columns = [] -%}
    {%- for parts in read.tables -%}
        {%- set quoted = [] -%}
        {%- for part in parts %}{% do quoted.append(event_windows._name(part)) %}{% endfor -%}
        {%- do columns.append([parts, event_windows._described('select * from ' ~ quoted | join('.'))]) -%}
    {%- endfor -%}
    {%- set above = event_windows._above(found.relation, session) -%}
    {%- set identity = event_windows._identity_of_rows(above, format) -%}
    {%- set plan = event_windows._rollup_plan(sql, {
        'followed': found.place, 'inputs': inputs, 'columns': columns, 'identity': identity
    }) -%}
    {%- if plan.several %}{% do event_windows._refuse_texts_anew(above, identity) %}{% endif -%}
    {%- set spec = {
        'text': plan.text, 'above': above, 'query': plan.query, 'keys': plan['keys'], 'columns': {}, 'groups': [],
        'several': plan.several, 'file_format': format
    } -%}
    {%- do spec.update(session) -%}
    {%- set described = event_windows._described(event_windows._rollup_query(spec)) -%}
    {%- do spec.columns.update(dict(described)) -%}
    {%- for name, _ in described -%}
        {%- set place = loop.index0 -%}
        {%- if place in plan.groups or name | lower in plan.groups | select('string') | map('lower') | list
            or place >= described | length - plan.hidden | length -%}
            {%- do spec.groups.append(name) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do spec.update({'times': event_windows._time_groups(plan.times, described, above)}) -%}
    {%- do event_windows._check_rollup_columns(spec, described, plan.hidden) -%}
    {{- return(spec) -}}
{% endmacro %}


{# What the registered planner says of the text; what is wrong with it stops the run. #}
{% macro _rollup_plan(sql, settings) %}
    {%- set plan = event_windows._asked_planner(event_windows._whole_relation(sql), {'rollup': settings}) -%}
    {%- do event_windows._raise_about_text(plan.problems or []) -%}
    {{- return(plan) -}}
{% endmacro %}


{# Its one setting, checked. #}
{% macro _rollup_format() %}
    {%- set problems = [] -%}
    {%- do event_windows._check_spelling(problems) -%}
    {%- set format = event_windows._choice('file_format', event_windows._formats(), problems) -%}
    {%- do event_windows._refuse(problems) -%}
    {{- return(format) -}}
{% endmacro %}


{# The text over the version of the model above that is read, or over some segments of its windows. #}
{% macro _rollup_query(spec, segments=none) %}
    {{- return(spec.query[0] ~ event_windows._above_now(spec.above, segments) ~ spec.query[1]) -}}
{% endmacro %}


{# Columns that a table of groups can have: what tells groups apart must be equal exactly where GROUP BY finds it so. #}
{% macro _check_rollup_columns(spec, described, hidden) %}
    {%- set problems = [] -%}
    {%- set names = described | map('first') | map('lower') | list -%}
    {%- set shown = described | length - hidden | length -%}
    {%- for name, type in described -%}
        {%- set what = "column '" ~ name ~ "'" if loop.index0 < shown
            else 'GROUP BY ' ~ hidden[loop.index0 - shown] -%}
        {%- if names | select('equalto', name | lower) | list | length > 1 -%}
            {%- do problems.append("two columns have the name '" ~ name ~ "', in upper or lower case: give one of "
                ~ 'them another name') -%}
        {%- endif -%}
        {%- for why in [
            event_windows._why_own_name(name) if loop.index0 < shown, event_windows._why_no_name(spec.file_format, name)
        ] if why -%}
            {%- do problems.append(what ~ ' ' ~ why) -%}
        {%- endfor -%}
        {%- set why = event_windows._why_no_type(spec.file_format, type, ': cast it to another type') -%}
        {%- if why -%}
            {%- do problems.append(what ~ ' ' ~ why) -%}
        {%- elif name in spec.groups and event_windows._cannot_be_found(type) -%}
            {%- do problems.append(what ~ ' is a group of the type ' ~ type ~ ', of which no table can find the '
                ~ 'same value again: group by a text, a number or a time') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not spec.groups -%}
        {%- do problems.append('GROUP BY names no column of the SELECT: group by what tells the rows of the result '
            ~ 'apart') -%}
    {%- endif -%}
    {%- if problems %}{{ event_windows._raise("the SQL of model '" ~ model.name ~ "'", problems | unique | list) }}
    {%- endif -%}
{% endmacro %}
