{#
    What two tests share that compare the windows of a model with windows computed again over the rows that it has
    read: the model, {'asked', 'table', 'table_side' (see _differences), 'names', 'sample', 'leave_out'}; none where
    there is nothing to ask. `sample` is how many in a hundred keys are compared, told by a hash of the key.
#}
{% macro _compared_windows(test, windows, sample, leave_out, missed=false) %}
    {%- set problems = [] -%}
    {%- if windows is string -%}
        {%- do problems.append('it takes no where: what is computed again is compared with the whole table; give a '
            ~ 'sample instead') -%}
    {%- endif -%}
    {%- if sample is not number or sample is boolean or not 0 < sample <= 100 -%}
        {%- do problems.append("sample is '" ~ sample ~ "': give how many of a hundred keys are compared, above 0 and "
            ~ 'up to 100') -%}
    {%- endif -%}
    {%- set leave_out = [leave_out] if leave_out is string else leave_out or [] -%}
    {%- set table = event_windows._windowed_table('test ' ~ test, windows, problems) -%}
    {%- if not table.spec %}{{- return(none) -}}{% endif -%}
    {%- set asked = event_windows._tested_model(test, windows, problems) -%}
    {%- set bounds = ['window_start', 'window_end'] -%}
    {%- do event_windows._check_is_shown(table, table.spec.key + bounds, problems) -%}
    {%- if not table.spec.arrival_order -%}
        {%- do problems.append('the model has no arrival_order, and without one nothing tells which rows were late: '
            ~ 'give the model an arrival_order') -%}
    {%- elif not asked.readable -%}
        {%- do problems.append(event_windows._why_unreadable(asked, takes_source=false)) -%}
    {%- endif -%}
    {%- set shown = table.shown.columns if table.shown else none -%}
    {%- set names = shown | map('first') | list if shown else table.columns.keys() | list -%}
    {%- for column in leave_out if column | lower not in names | map('lower') | list -%}
        {%- do problems.append("leave_out has '" ~ column ~ "': the columns are " ~ names | join(', ')) -%}
    {%- endfor -%}
    {%- if problems %}{{ event_windows._raise('test ' ~ test, problems) }}{% endif -%}
    {%- set compared = {
        'asked': asked, 'table': table, 'names': names, 'leave_out': leave_out,
        'sample': sample if event_windows._known_key(table.spec.key) else 100
    } -%}
    {%- do compared.update({'table_side': event_windows._shown_side(
        compared, table.sql, table.shown, names, missed=missed, reaching=missed
    )}) -%}
    {{- return(compared) -}}
{% endmacro %}


{#
    Windows as a model shows them, for _differences: `windows` has them under the names of the table of windows.
    Those that may have left the table by now are left out where windows expire, and those that are open where the
    model is to show `closed` ones alone; those that a row `missed`, counted in others of its windows, where the other
    side cannot tell. `reaching`: a session with a gap per row is told by its end as Spark has it.
#}
{% macro _shown_side(compared, windows, shown, names, closed=false, missed=false, reaching=false) %}
    {%- set spec = compared.asked.spec -%}
    {%- set expiring = spec.expire == 'delete' -%}
    {%- set clock = event_windows._time_micros('clock.stream_time', spec) -%}
    {%- set conditions = [] -%}
    {%- if compared.sample < 100 %}{% do conditions.append(event_windows._in_sample(compared, 'stored')) %}{% endif -%}
    {%- if closed -%}
        {%- do conditions.append('coalesce(' ~ event_windows._closed(
            spec, event_windows._of_window('stored_until', spec, 'stored'), clock
        ) ~ ', false)') -%}
    {%- endif -%}
    {%- if expiring -%}
        {%- do conditions.append('not coalesce(' ~ event_windows._has_left(spec, 'stored', clock, spec.leaves_after)
            ~ ', false)') -%}
    {%- endif -%}
    {%- set end = event_windows._time_from_micros('stored._ew_until', spec) ~ ' as window_end'
        if reaching and spec.window.gap_by else 'stored.window_end' -%}
    {%- set columns = [] -%}
    {%- for name in names %}{% do columns.append([event_windows._name(name), event_windows._name(name)]) %}
    {%- endfor %}
    select
        {{- event_windows._select_columns(event_windows._shown_columns({'plain': shown}) if shown else columns) }},
        struct({{ event_windows._names_before(spec.key, 'stored') }}stored.window_start, {{ end }}) as _ew_of
    from (
        select stored.*
        from {{ windows }} as stored
        {%- if closed or expiring %}
        {{ event_windows._join_slowest_clocks(compared.asked) | trim }}
        {%- endif %}
        {%- if missed and event_windows._windows_per_row(spec, '0') != '1' %}
        {{ event_windows._without_missed(compared.asked) | trim }}
        {%- endif %}
        {{ 'where ' ~ conditions | join(' and ') if conditions }}
    ) as stored
    {{ 'where ' ~ event_windows._asked_of_spark(shown.having) if shown and shown.having is not none }}
{%- endmacro %}


{# Leaves out the windows that were closed when a row came that counts in another one. #}
{% macro _without_missed(asked) %}
    {%- set spec = asked.spec -%}
    {%- set windows = event_windows._of_window(
        'windows_of', spec, event_windows._time_micros(event_windows._name(spec.event_time), spec)
    ) %}
        left anti join (
            select
                {{ event_windows._names_before(spec.key) }}
                explode(filter({{ windows }}, held -> {{ event_windows._closed(
                    spec, '(held.ends - 1)', event_windows._time_micros('stream_time', spec)
                ) if spec.window.grace is not none else 'false' }})) as _ew_missed
            from {{ event_windows._counted_dropped(asked) }}
            where reason = 'late_partial'
        ) as missed
            on {{ event_windows._equal(spec.key, 'stored', 'missed', null_safe=true) }}
            and {{ event_windows._time_micros('stored.window_start', spec) }} = missed._ew_missed.starts
            and {{ event_windows._time_micros('stored.window_end', spec) }} = missed._ew_missed.ends
{% endmacro %}


{# Whether a key is among those that are compared. `keys` has the SQL of each key column, without it they are named. #}
{% macro _in_sample(compared, alias=none, keys=none) %}
    {%- set columns = keys | join(', ') if keys else event_windows._names(compared.asked.spec.key, alias) -%}
    {{- return('pmod(xxhash64(' ~ columns ~ '), 1000000) < ' ~ (compared.sample * 10000) | round | int) -}}
{% endmacro %}


{# A sample without a key proves nothing: that is a row of the test too. #}
{% macro _empty_sample(compared, columns) %}
    {%- if compared.sample == 100 %}{{- return('') -}}{% endif %}
union all
select
    'no key of the table is in the sample: give a larger one' as _ew_side,
    {{ event_windows._nulls(columns) | join(', ') }}
where exists (select 1 from {{ compared.table.sql }} as stored)
    and not exists (
        select 1 from {{ compared.table.sql }} as stored where {{ event_windows._in_sample(compared, 'stored') }}
    )
{% endmacro %}


{# The rows of the test: columns that differ in name, order or type, else rows. `other` is [side, SELECT]. #}
{% macro _compared_rows(compared, other) %}
    {%- set sides = {'table': compared.table_side | string, other[0]: other[1] | string} -%}
    {%- set columns = [] -%}
    {%- if event_windows._is_running() -%}
        {%- set found = {} -%}
        {%- for side, sql in sides.items() %}{% do found.update({side: event_windows._columns_of(sql)}) %}{% endfor -%}
        {%- do found.update({'table': event_windows._columns_of('select * from ' ~ compared.asked.tables.model)}) -%}
        {#- of numbers that the format keeps as larger ones the values alone are compared -#}
        {%- set stored, computed = found['table'] | map('last') | list, [] -%}
        {%- for name, type in found[other[0]] -%}
            {%- set kept = event_windows._of_format(compared.table.spec.file_format, 'stored_type', type) -%}
            {%- do computed.append([name, type if kept == type else stored[loop.index0]]) -%}
        {%- endfor -%}
        {%- set others = event_windows._other_columns(dict(found, **{other[0]: computed})) -%}
        {%- if others %}{{- return(others) -}}{% endif -%}
        {%- do columns.extend(found['table']) -%}
    {%- else -%}
        {%- for name in compared.names %}{% do columns.append([name, none]) %}{% endfor -%}
    {%- endif -%}
    {{- return(event_windows._differences(sides, columns, compared.leave_out)
        ~ (event_windows._empty_sample(compared, columns) if event_windows._is_running() else '')) -}}
{% endmacro %}
