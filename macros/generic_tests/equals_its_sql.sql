{#
    Rows in which a model in plain SQL differs from what Spark makes of its text, run as a query over the rows that the
    model has read, but for those that it dropped. The text is the one that the table records. Refused, with what to do,
    where Spark cannot run it or would rightly give other windows.
#}
{% test equals_its_sql(model, sample=100, leave_out=none) %}
    {{ adapter.dispatch('test_equals_its_sql', 'event_windows')(windows=model, sample=sample, leave_out=leave_out) }}
{% endtest %}


{% macro default__test_equals_its_sql(windows, sample, leave_out) %}
    {%- set compared = event_windows._compared_windows(
        'equals_its_sql', windows, sample, leave_out, missed=true
    ) -%}
    {%- if compared is none %}{{- return('') -}}{% endif -%}
    {%- set query = event_windows._query_of_text(compared) -%}
    {%- do compared.leave_out.extend(query.undecided) -%}
    {%- if query.undecided -%}
        {{- log('event_windows: test equals_its_sql of ' ~ compared.asked.tables.model ~ ': not compared, since Spark '
            ~ 'itself may give another value: ' ~ query.undecided | join(', '), info=true) -}}
    {%- endif -%}
    {{- event_windows._compared_rows(compared, ['its SQL', event_windows._side_of_text(compared, query)]) }}
{% endmacro %}


{#
    How the text of the model is run over a part of its rows, as the planner says (plain_sql/query_text.py); or why it
    is not to be run.
#}
{% macro _query_of_text(compared) %}
    {%- set recorded, problems = compared.table.spec, [] -%}
    {%- set instead = ': use the test equals_from_scratch' -%}
    {%- set text = compared.asked.shown.text if compared.asked.shown else none -%}
    {%- if recorded.plain is none -%}
        {%- do problems.append('the model is a call of windowed(...), which is no SQL of its own' ~ instead) -%}
    {%- elif not text -%}
        {%- do problems.append('the table does not record the text of its model: run the model once') -%}
    {%- elif event_windows._trait('absorbs', recorded) and recorded.retention is not none -%}
        {%- do problems.append('sessions that have left the state ('
            ~ ("emit='final'" if recorded.emit == 'final' else 'retention')
            ~ ') are joined by no later row, and the text alone would join them' ~ instead) -%}
    {%- endif -%}
    {%- set query = {} -%}
    {%- if not problems -%}
        {%- do event_windows._refuse([event_windows._planner_not_there('a model in plain SQL')]) -%}
        {%- set plan = event_windows._answered_plan(text.sql, dict(text.settings, query=true)) -%}
        {%- do query.update(plan.get('query') or {}) -%}
        {%- if not query -%}
            {%- do problems.append('this version of the package refuses the text of the model, see dbt run') -%}
        {%- elif query.not_spark -%}
            {%- do problems.append('Spark has no ' ~ query.not_spark | join(', ') ~ instead) -%}
        {%- elif query.undecided_having -%}
            {%- do problems.append('HAVING asks for a value of which Spark itself may give another' ~ instead) -%}
        {%- endif -%}
    {%- endif -%}
    {%- if problems %}{{ event_windows._raise('test equals_its_sql', problems) }}{% endif -%}
    {{- return(query) -}}
{% endmacro %}


{# What the text gives over the rows that were read and not dropped, for _differences. #}
{% macro _side_of_text(compared, query) %}
    {%- set spec = compared.asked.spec -%}
    {%- set known = event_windows._known_key(spec.key) -%}
    {%- set keys, places = [], [] -%}
    {%- for column in spec.key -%}
        {%- do keys.append(query.columns[column] if known else '1') -%}
        {%- do places.append('_ew_key_' ~ loop.index ~ ' as ' ~ event_windows._name(column)) -%}
    {%- endfor -%}
    {%- set items = [] -%}
    {%- for sql in keys if known %}{% do items.append(sql ~ ' as _ew_key_' ~ loop.index) %}{% endfor -%}
    {%- set text = query.pieces[0] ~ (items + [query.window ~ ' as _ew_window']) | join(', ') ~ query.pieces[1]
        ~ (event_windows._counted_in_text(compared, query, keys) | trim) ~ query.pieces[2] -%}
    {%- set names = [] -%}
    {%- if event_windows._is_running() -%}
        {%- for name, _ in event_windows._columns_of(text) %}{% do names.append(name) %}{% endfor -%}
    {%- endif -%}
    {%- set names = names or compared.names -%}
    {%- set end = '_ew_window.end' -%}
    {%- if spec.window.gap -%}
        {%- set end = event_windows._time_from_micros(
            event_windows._time_micros(end, spec) ~ ' - ' ~ spec.window.gap, spec
        ) -%}
    {%- endif %}
    {%- set windows -%}
(
        select
            struct({{ event_windows._names(names) }}) as _ew_shown,
            {{ places | join(', ') if known else '1 as _ew_all' }},
            _ew_window.start as window_start, {{ end }} as window_end
        from (
{{ text }}
        ) as text_windows
    )
    {%- endset %}
    {%- set shown = [] -%}
    {%- for name in names %}{% do shown.append([name, '_ew_shown.' ~ event_windows._name(name)]) %}{% endfor -%}
    {{- event_windows._shown_side(
        compared, windows, {'columns': shown, 'having': none}, names, closed=spec.emit == 'final', missed=true
    ) }}
{%- endmacro %}


{# The condition on the rows of the text: read, not dropped, of a key in the sample. `keys` has the SQL of each. #}
{% macro _counted_in_text(compared, query, keys) %}
    {%- set spec, columns = compared.asked.spec, query.columns -%}
    {%- set through = compared.asked.progress.through if compared.asked.progress else [] -%}
    {%- set arrival = columns[spec.arrival] -%}
    {%- set pairs, own = [], [] -%}
    {%- for column in spec.key + [spec.event_time, spec.arrival, spec.partition] if column -%}
        {%- set name = '_ew_dropped_' ~ loop.index -%}
        {%- do own.append(event_windows._name(column) ~ ' as ' ~ name) -%}
        {%- do pairs.append(name ~ ' <=> ' ~ (columns[column] if column != '_ew_all' else '1')) -%}
    {%- endfor -%}
    {%- if not through -%}
        false
    {%- elif spec.partition -%}
        {%- set partition = event_windows._exact_text_of(
            columns[spec.partition], event_windows._type_of(spec.partition, spec)
        ) -%}
        case
            {%- for name, last in through %}
            when {{ partition }} <=> {{ event_windows._literal(name) }} then {{ arrival }} <= {{ last }}
            {%- endfor %}
        end
    {%- else -%}
        {{ arrival }} <= {{ through[0][1] }}
    {%- endif %}
    and not exists (
        select 1
        from (
            select {{ own | join(', ') }}
            from {{ event_windows._counted_dropped(compared.asked) }}
            where reason <> 'late_partial'
        ) as _ew_dropped
        where {{ pairs | join(' and ') }}
    )
    {%- if compared.sample < 100 %}
    and {{ event_windows._in_sample(compared, keys=keys) }}
    {%- endif %}
{% endmacro %}
