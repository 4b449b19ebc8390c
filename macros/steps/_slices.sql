{#
    Step slices: new rows reduced to partial aggregates before anything is sorted. Rows of one slice always fall into
    the same windows. A slice without _ew_first counts the rows that no window can, and aggregates nothing of them.
    `once` where the CTE is used several times; `rows` is what to read from; `tracked` where all rows are counted;
    `tasks` in how few partitions the slices shall be, where that is known. _ew_of_rows is for _digest_of_slice.
#}
{% macro _slices(spec, rows='new_rows', tracked=false, once=false, tasks=none) %}
    {%- set scope = event_windows._slice_scope(spec) -%}
    {%- set slice = event_windows._of_window('slice', spec) %}
    select
        {{- ' /*+ coalesce(' ~ tasks ~ ') */' if tasks }}
        {{ event_windows._names(scope) }},
        {{ slice }} as _ew_slice,
        min(_ew_time) as _ew_first,
        max(_ew_time) as _ew_last,
        max({{ event_windows._of_window('row_until', spec) }}) as _ew_until,
        {%- for part in event_windows._parts(spec) %}
        {{ part.guarded if tracked else part.partial }} as {{ part.column }},
        {%- endfor %}
        count(*) as _ew_rows
        {%- if spec.arrival and (tracked or event_windows._late_margin(spec) is not none) %},
        min({{ event_windows._name(spec.arrival) }}) as _ew_arrival_from,
        max({{ event_windows._name(spec.arrival) }}) as _ew_arrival_to
        {%- endif %}
        {%- if spec.arrival and tracked %},
        count_if({{ event_windows._name(spec.arrival) }} is null) as _ew_unordered,
        sum(xxhash64(_ew_time, cast({{ event_windows._name(spec.arrival) }} as bigint)) % 4294967296) as _ew_of_rows
        {%- endif %}
        {{- ',\n        ' ~ event_windows._once() if once }}
    from {{ rows }}
    {%- if not tracked %}
    where _ew_time is not null
    {%- endif %}
    group by {{ event_windows._names(scope) }}, {{ slice }}
{% endmacro %}


{# A column that makes Spark compute a CTE once: one that is deterministic it computes anew wherever it is used. #}
{% macro _once() %}
    {{- return('rand() as _ew_once') -}}
{% endmacro %}
