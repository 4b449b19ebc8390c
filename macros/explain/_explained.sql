{#
    What the next run of the model that stands in does, as a dict:

    model, relation   its names
    run               'incremental', 'full', or 'stops', where something stands in the way
    why               sentences: why it builds, or stops, and what to do about it
    notes             sentences about what the run would tell, or what could not be told here
    rows, arrivals    new rows, in all and per partition: [{'partition', 'rows', 'from', 'to'}]; none where unknown
    arrived, waiting  when the oldest of them arrived, where the model has arrived_at, and how many seconds ago
    last_run          when the last refresh began, and since_last_run, how many seconds ago
    uncountable       of them, rows that no window can count
    late_keys         keys in which one of them may be late, at most
    windows, segments stored windows in the segments that the new rows can reach, and how many segments
    oldest_event      the oldest new event time
    unfinished        the run whose commit is there, and not all that follows from it
    keys_rebuilt      keys that it makes anew, and rows_rebuilt, how many rows they have
    rows_read         the new rows of all other keys, which the ledger's column of this name will have
    skipped           rows that came below the last number that was read
    refreshes         how many times the run reads and commits, about (event_windows__max_rows_per_refresh)
    steps             what it sends for the first of them, see docs/refresh.md; nothing of a build, which counts rows
                      while it runs
    commits           commits of tables in all, about
#}
{% macro _explained(node) %}
    {%- set told = event_windows._told_of(node) -%}
    {%- set why_full = event_windows._why_full(event_windows._existing(this)) -%}
    {%- if event_windows._explain_missing(node, why_full, told) %}{{- return(told) -}}{% endif -%}
    {%- set spec = event_windows._explained_spec(node, told) -%}
    {%- if not spec %}{{- return(told) -}}{% endif -%}
    {%- set tables = event_windows._tables(this, spec.emit, plain=spec.plain is not none) -%}
    {%- set condition = event_windows._rebuild_condition(spec) -%}
    {%- set rebuilds = not spec.recorded and (condition or event_windows._follows(spec)) -%}
    {%- set refused = [event_windows._why_no_rebuild(spec, condition) if rebuilds else none] | select | list
        + event_windows._taken_names(tables, builds=why_full is not none) -%}
    {%- if refused -%}
        {%- do told.update({'run': 'stops', 'why': refused}) -%}
    {%- elif why_full -%}
        {%- do event_windows._explain_build(spec, why_full, told) -%}
    {%- else -%}
        {%- set found = event_windows._found_record(spec, tables) if not spec.recorded
            else {'record': event_windows._read_record(spec, tables.windows)} -%}
        {%- set stops = (found.changed or []) + ([found.apart] if found.apart else []) -%}
        {%- set reshapes = not spec.recorded and not stops and event_windows._reshapes(spec, found.record) -%}
        {%- set leaves = reshapes and event_windows._note_leaving(found.record, event_windows._fingerprint(spec)) -%}
        {%- if not stops %}{% do spec.update({'segment': found.record.spec.segment}) %}{% endif -%}
        {%- do told.why.extend(stops or event_windows._explain_refresh(spec, tables, found.record, condition, told)) -%}
        {%- if told.why -%}
            {%- do told.update({'run': 'stops', 'steps': [], 'refreshes': 0, 'commits': 0}) -%}
        {%- elif reshapes -%}
            {%- do told.notes.append('the model has changed, which needs no build: its columns, or what its table '
                ~ 'records, are changed first') -%}
            {%- set leave = ['clocks, if windows alone told them', 'progress', 'expire', 'progress'] if leaves else []
            -%}
            {%- do told.update({'steps': ['reshape'] + told.steps[:1] + leave + told.steps[1:]}) -%}
        {%- endif -%}
    {%- endif -%}
    {{- return(told) -}}
{% endmacro %}


{# What is told of a model before anything was asked. #}
{% macro _told_of(node) %}
    {{- return({
        'model': node.name, 'relation': this | string, 'run': 'incremental', 'why': [], 'notes': [], 'rows': none,
        'rows_read': none, 'arrivals': [], 'arrived': none, 'waiting': none, 'last_run': none, 'since_last_run': none,
        'uncountable': none, 'late_keys': none, 'windows': none, 'segments': none, 'oldest_event': none,
        'unfinished': none, 'keys_rebuilt': none, 'rows_rebuilt': none, 'skipped': none, 'groups': none,
        'refreshes': 0, 'commits': 0, 'steps': []
    }) -}}
{% endmacro %}


{# Whether something that it reads, and dbt makes, is not there, so that nothing can be asked: it waits for that. #}
{% macro _explain_missing(node, why_full, told) %}
    {%- for id in node.depends_on.nodes if id in graph.nodes -%}
        {#- an ephemeral model has no such name -#}
        {%- set name = graph.nodes[id].relation_name -%}
        {%- if name and event_windows._recorded_relation(name) is none -%}
            {%- do told.update({'run': 'full' if why_full else 'stops'}) -%}
            {%- do told.why.append(name ~ ', which it reads, is not there: run that first') -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(told.why | length > 0) -}}
{% endmacro %}
