{#
    What the next run of the model that stands in does, as a dict:

    model, relation   its names
    run               'incremental', 'full', or 'stops', where something stands in the way
    why               sentences: why it builds, or stops, and what to do about it
    notes             sentences about what the run would tell, or what could not be told here
    rows, arrivals    new rows, in all and per partition: [{'partition', 'rows', 'from', 'to'}]; none where unknown
    arrived           when the oldest of them arrived, where the model has arrived_at
    uncountable       of them, rows that no window can count
    late_keys         keys in which one of them may be late, at most
    windows, segments stored windows in the segments that the new rows can reach, and how many segments
    oldest_event      the oldest new event time
    unfinished        the run whose commit is there, and not all that follows from it
    skipped           rows that came below the last number that was read
    refreshes         how many times the run reads and commits, about (event_windows__max_rows_per_refresh)
    steps             what it sends for the first of them, up to the commit of a build, see docs/refresh.md
    commits           commits of tables in all, about
#}
{% macro _explained(node) %}
    {%- set told = {
        'model': node.name, 'relation': this | string, 'run': 'incremental', 'why': [], 'notes': [], 'rows': none,
        'arrivals': [], 'arrived': none, 'uncountable': none, 'late_keys': none, 'windows': none, 'segments': none,
        'oldest_event': none, 'unfinished': none, 'skipped': none, 'refreshes': 0, 'commits': 0,
        'steps': []
    } -%}
    {%- set spec = event_windows._explained_spec(node, told) -%}
    {%- if not spec %}{{- return(told) -}}{% endif -%}
    {%- set tables = event_windows._tables(this, spec.emit, plain=spec.plain is not none) -%}
    {%- set existing = load_cached_relation(
        tables.windows if event_windows._is_shown_by_view(spec) else this
    ) -%}
    {%- set why_full = event_windows._why_full(existing) -%}
    {%- if why_full -%}
        {%- do event_windows._explain_build(spec, why_full, told) -%}
    {%- else -%}
        {%- set found = event_windows._found_record(spec, tables) if not spec.recorded
            else {'record': event_windows._read_record(tables.windows, spec.file_format)} -%}
        {%- set stops = (found.changed or []) + ([found.apart] if found.apart else []) -%}
        {%- do told.why.extend(stops or event_windows._explain_refresh(spec, tables, found.record, told)) -%}
        {%- if told.why %}{% do told.update({'run': 'stops', 'steps': [], 'refreshes': 0, 'commits': 0}) %}{% endif -%}
    {%- endif -%}
    {{- return(told) -}}
{% endmacro %}


{#
    The spec of the model as its text is now. Where that cannot be had, the one that its table was built by, `recorded`,
    which the text is not compared with then; none where there is neither, which is told.
#}
{% macro _explained_spec(node, told) %}
    {%- set text = event_windows._text_of(node) -%}
    {%- if text.sql is none %}{{- return(event_windows._spec_it_was_built_by(text.why_not, told)) -}}{% endif -%}
    {%- set problem = event_windows._functions_not_there(
        ['event_windows_plan'], 'a model in plain SQL is read by',
        '; or write the model as a call of event_windows.windowed(...)'
    ) if '/* event_windows ' not in text.sql else none -%}
    {%- if problem -%}
        {%- do told.why.append(problem) -%}
        {%- do told.update({'run': 'stops'}) -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set spec = event_windows._spec_of(text.sql) -%}
    {%- do event_windows._check_can_be_windowed(spec, text.sql) -%}
    {%- do event_windows._check_query_functions(spec) -%}
    {{- return(spec) -}}
{% endmacro %}


{# What a run counts and looks for needs no aggregates, so that they need not be known. #}
{% macro _spec_it_was_built_by(why_not, told) %}
    {%- do told.notes.append('its text was not read, since ' ~ why_not ~ ', which only a run can do: what is said here '
        ~ 'is of the model that its table was built by') -%}
    {%- if load_cached_relation(this) is none or should_full_refresh() -%}
        {%- do told.update({'run': 'full', 'why': [event_windows._why_full(load_cached_relation(this))]}) -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set asked = event_windows._refreshed_model('explain', this, []) -%}
    {%- if not asked.readable or asked.relation is none -%}
        {%- do told.notes.append('its rows cannot be asked for: ' ~ (asked.relation or 'the relation that it reads')
            ~ ' is not there, or was not recorded') -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set spec = dict(asked.spec, aggregates=[], replay=event_windows._choices([]).replay, skipped_rows='tell') -%}
    {{- return(dict(spec, partition_parts=event_windows._partition_parts(spec), recorded=true)) -}}
{% endmacro %}


{# A build reads all rows. #}
{% macro _explain_build(spec, why_full, told) %}
    {%- do told.update({'run': 'full', 'why': ['it builds the table from all rows, since ' ~ why_full]}) -%}
    {%- set needed = event_windows._needed_functions(spec) -%}
    {%- set problem = event_windows._unregistered(spec, needed) if needed else none -%}
    {%- set refused = event_windows._must_not_build(why_full) -%}
    {%- if problem or refused -%}
        {%- do told.update({'run': 'stops', 'why': [refused, problem] | select | list}) -%}
    {%- endif -%}
    {%- set run = event_windows._new_run(1, 1, full=true) -%}
    {%- do event_windows._explain_rows(spec, run, told) -%}
    {%- if not told.run == 'stops' -%}
        {%- do told.update({'steps': ['bounds', 'slices', 'clocks', 'windows'], 'refreshes': 1, 'commits': 1}) -%}
    {%- endif -%}
{% endmacro %}
