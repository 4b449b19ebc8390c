{#
    Step 2, slices: new rows reduced to partial aggregates before anything is sorted. Rows of one slice always fall into
    the same windows. A refresh also counts what it read (tracked). `once` where the CTE is used several times; `rows` is what
    to read them from.
#}
{% macro _slices(spec, tracked=false, once=false, rows='new_rows') %}
    {%- set scope = event_windows._slice_scope(spec) -%}
    {%- set slice = event_windows._of_type('slice', spec) -%}
    select
        {{ event_windows._names(scope) }},
        {{ slice }} as _ew_slice,
        min({{ event_windows._name(spec.event_time) }}) as window_start,
        max({{ event_windows._name(spec.event_time) }}) as window_end,
        min(_ew_time) as _ew_first,
        max(_ew_time) as _ew_last,
        {{ event_windows._of_type('slice_reach', spec) }} as _ew_reach,
        {%- for part in event_windows._parts(spec) %}
        {{ part.partial }} as {{ part.column }},
        {%- endfor %}
        count(*) as _ew_rows
        {%- if spec.arrival and (tracked or event_windows._doubt_margin(spec) is not none) %},
        min({{ event_windows._name(spec.arrival) }}) as _ew_arrival_from,
        max({{ event_windows._name(spec.arrival) }}) as _ew_arrival_to
        {%- endif %}
        {{- ',\n        ' ~ event_windows._once() if once }}
    from {{ rows }}
    {%- if not tracked %}
    where _ew_time is not null
    {%- endif %}
    group by {{ event_windows._names(scope) }}, {{ slice }}
{% endmacro %}


{# What slices are kept apart by: the key, and the partition where clocks need it. #}
{% macro _slice_scope(spec) %}
    {%- set scope = spec.key | list -%}
    {%- if spec.partition not in scope and spec.clock == 'partition' -%}
        {%- do scope.append(spec.partition) -%}
    {%- endif -%}
    {{- return(scope) -}}
{% endmacro %}


{# Every part of every aggregate, in order. #}
{% macro _parts(spec) %}
    {%- set parts = [] -%}
    {%- for aggregate in spec.aggregates %}{% do parts.extend(aggregate.parts) %}{% endfor -%}
    {{- return(parts) -}}
{% endmacro %}


{# An expression with the type it must have, where that is known. #}
{% macro _typed(expression, type) %}
    {{- return('cast(' ~ expression ~ ' as ' ~ type ~ ')' if type else expression) -}}
{% endmacro %}


{# What a window type says of itself: macro _<type>_<what> of the type's own file. #}
{% macro _of_type(what, spec) %}
    {{- return(context['event_windows']['_' ~ spec.window.type ~ '_' ~ what](spec, *varargs, **kwargs)) -}}
{% endmacro %}


{# A column that makes Spark compute a CTE once: one that is deterministic it computes anew wherever it is used. #}
{% macro _once() %}
    {{- return('rand() as _ew_once') -}}
{% endmacro %}
