{#
    Rows in which the table of a windowed model differs from what a full refresh over the rows that it has read would
    make of it: the same windows, computed again in one query from the source as it is now, or where its log is followed
    as of the version up to which it was. Sketches that draw lots are not compared.
#}
{% test equals_from_scratch(model, sample=100, leave_out=none) %}
    {{ adapter.dispatch('test_equals_from_scratch', 'event_windows')(
        windows=model, sample=sample, leave_out=leave_out
    ) }}
{% endtest %}


{% macro default__test_equals_from_scratch(windows, sample, leave_out) %}
    {%- set compared = event_windows._compared_windows('equals_from_scratch', windows, sample, leave_out) -%}
    {%- if compared is none %}{{- return('') -}}{% endif -%}
    {%- set recorded = compared.table.spec -%}
    {%- set spec = event_windows._scratch_spec(compared) -%}
    {%- set estimated = event_windows._estimated_columns(compared, spec) -%}
    {%- do compared.leave_out.extend(estimated) -%}
    {%- if estimated and event_windows._is_running() -%}
        {{- log('event_windows: test equals_from_scratch of ' ~ compared.asked.tables.model ~ ': not compared, since '
            ~ 'a full refresh may estimate another value: ' ~ estimated | join(', '), info=true) -}}
    {%- endif -%}
    {%- set windows -%}
(
        with
        {{ event_windows._pipeline(spec) | trim }}

        select
            {{- event_windows._select_columns(event_windows._window_columns(spec)) }}
            {%- for name in event_windows._trait('keeps', spec) %}, {{ name }}{% endfor %}
        from windows
    )
    {%- endset -%}
    {%- set plain = event_windows._shown_plainly(compared) -%}
    {%- set windows = event_windows._as_spark_has_them(spec, windows) if plain else windows -%}
    {%- set names = recorded.key + ['window_start', 'window_end'] + recorded.aggregates.keys() | list -%}
    {{- event_windows._compared_rows(compared, ['from scratch', event_windows._shown_side(
        compared, windows, plain, names, closed=recorded.emit == 'final'
    )]) }}
{% endmacro %}


{# What a model in plain SQL makes of its windows, none for a call. #}
{% macro _shown_plainly(compared) %}
    {%- set recorded = compared.table.spec -%}
    {{- return(recorded.plain if recorded.plain is mapping else compared.table.shown) -}}
{% endmacro %}


{#
    The columns whose values come from sketches that are merged in another way from scratch: KLL sketches draw lots, and
    of a full theta or top-k sketch the order of values shows.
#}
{% macro _estimated_columns(compared, spec) %}
    {%- set estimated = [] -%}
    {%- for aggregate in spec.aggregates -%}
        {%- for part in aggregate.parts if modules.re.match('(kll|theta|approx_top_k)_', part.partial)
            and aggregate.name not in estimated -%}
            {%- do estimated.append(aggregate.name) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set plain = event_windows._shown_plainly(compared) -%}
    {%- if not plain %}{{- return(estimated) -}}{% endif -%}
    {%- set shown = [] -%}
    {%- for name, sql in plain.columns
        if event_windows._named_columns(sql) | select('in', estimated) | list -%}
        {%- do shown.append(name) -%}
    {%- endfor -%}
    {{- return(shown) -}}
{% endmacro %}


{#
    The spec of the model, of the text of each part that the table records, over the rows that it has read. A sample of
    keys is taken of the rows where clocks are those of keys; else every row moves a clock that is asked for.
#}
{% macro _scratch_spec(compared) %}
    {%- set asked, recorded = compared.asked, compared.table.spec -%}
    {%- set through = asked.progress.through if asked.progress else [] -%}
    {%- set relation = '(select arrived.* '
        ~ event_windows._arrived_rows(event_windows._as_read(asked), {'from': [], 'to': through}) | trim ~ ')' -%}
    {%- if compared.sample < 100 and recorded.stream_time == 'key' -%}
        {%- set relation = '(select * from ' ~ relation ~ ' as read_rows where '
            ~ event_windows._in_sample(compared, 'read_rows') ~ ')' -%}
    {%- endif -%}
    {%- set aggregates = {} -%}
    {%- for name, identity in recorded.aggregates.items() -%}
        {%- do aggregates.update({name: event_windows._sql_of_identity(identity)}) -%}
    {%- endfor -%}
    {%- set spec = event_windows._spec(
        relation=relation, key=recorded.key, event_time=recorded.event_time, window=recorded.window,
        aggregates=aggregates, arrival_order=recorded.arrival_order, partition=recorded.partition,
        stream_time=recorded.stream_time, problems=[]
    ) -%}
    {%- for setting in ['retention', 'max_ahead', 'arrived_at', 'segment', 'file_format'] -%}
        {%- do spec.update({setting: recorded[setting]}) -%}
    {%- endfor -%}
    {%- do spec.update({'null_keys': recorded.plain is not none}) -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model'
        and node.alias == asked.tables.model.identifier and node.schema == asked.tables.model.schema -%}
        {%- set replay = (node.config.get('meta') or {}).get('replay') or node.config.get('replay') -%}
        {%- if replay and not event_windows._is_view() %}{% do spec.update({'replay': replay}) %}{% endif -%}
    {%- endfor -%}
    {%- if event_windows._is_running() and spec.columns %}{% do event_windows._check_registered(spec) %}{% endif -%}
    {{- return(spec) -}}
{% endmacro %}


{#
    The call of an aggregate, of what the table records of it: its entry by type, or states, follow the text of some.
    What follows the name of a function is its argument, a column that is called like an entry; what stands in brackets
    that are open is a condition on such a column.
#}
{% macro _sql_of_identity(identity) %}
    {%- set types, catalogue = ['state .*'], event_windows._catalogue() -%}
    {%- for entry in catalogue.values() %}{% do types.extend(entry.instead or {}) %}{% endfor -%}
    {%- set names = event_windows._names_of_aggregates(catalogue) + event_windows._holistic_functions() -%}
    {%- for told in modules.re.finditer('(?i)((?:^|[^.\\w])(?:' ~ names | join('|') ~ '))? \\((?=(?:(?:'
        ~ types | unique | join('|') ~ ')(?:, |(?=\\)$)))+\\)$)', identity) -%}
        {%- set sql = identity[:told.start()] -%}
        {%- if not told.group(1) and not event_windows._brackets(event_windows._tokens(sql)).problem -%}
            {{- return(sql) -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(identity) -}}
{% endmacro %}
