{#
    Source rows that have the given values, {column: text}: each with stream time at its arrival, the windows that stand
    at its time where these are fixed, and the stored windows of its key that hold its time.
#}
{% macro _report_explained(relation, values, limit) %}
    {%- set asked = event_windows._reported_model(relation) -%}
    {%- if not asked.spec %}{{- return(event_windows._report_nothing()) -}}{% endif -%}
    {%- set spec, problems = asked.spec, [] -%}
    {%- set columns = event_windows._report_columns(spec.relation, values.keys() | list, problems) -%}
    {%- if problems %}{{ event_windows._raise('the report', problems) }}{% endif -%}
    {%- set condition = event_windows._report_where(values, {'columns': columns}) -%}
    {%- set identity = [] -%}
    {%- for column in [spec.partition, spec.arrival, spec.event_time] + spec.key
        if column and event_windows._name(column) not in identity -%}
        {%- do identity.append(event_windows._name(column)) -%}
    {%- endfor -%}
    {%- set fields = event_windows._report_row_fields(spec) -%}
    {%- set windows = event_windows._of_window('windows_of', spec, 'wanted._ew_time') -%}
    {#- where no window can count a row some types have one without bounds for it -#}
    {%- do fields.update({
        'fixed': 'if(wanted._ew_time is null, null, transform(' ~ windows
            ~ ", _ew_held -> named_struct('start', _ew_held.starts, 'end', _ew_held.ends)))" if windows else 'null',
        'held': 'held_windows.held'
    }) -%}
with
{{ event_windows._report_rows(spec, condition, asked.bounds) | trim }},

{{ event_windows._report_windows(asked) | trim }},

wanted_rows as (
    select *
    from (
        select *, row_number() over (order by {{ identity | join(', ') }}) as _ew_number
        from report_rows
        where {{ condition }}
    ) as numbered
    where _ew_number <= {{ limit }}
),

held_windows as (
    select
        wanted._ew_number,
        sort_array(collect_list(
            named_struct(
                'start', held._ew_first, 'end', held._ew_end, 'rows', held._ew_rows, 'shown', held._ew_shown
            )
        )) as held
    from wanted_rows as wanted
    inner join report_windows as held
        on {{ event_windows._equal(spec.key, 'held', 'wanted', null_safe=true) }}
        and held._ew_first <= wanted._ew_time and held._ew_last >= wanted._ew_time
    group by wanted._ew_number
)

{{ event_windows._report_line('row', fields) }}
from wanted_rows as wanted
left join held_windows on wanted._ew_number = held_windows._ew_number
{{ event_windows._report_join_dropped(asked) | trim }}
order by wanted._ew_number
{% endmacro %}
