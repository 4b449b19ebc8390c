{#
    After a change of the model that needs no build (_kept_of.sql): columns of aggregates that are gone, have another
    name or stand at another place, and the record. Each table by what it records itself, so that what a run that was
    killed has left is done by the next one. Where nothing of that has changed nothing is written.
#}
{% macro _reshape(spec, tables, record, done) %}
    {%- set now = event_windows._fingerprint(spec) -%}
    {%- set columns = event_windows._columns_before(
        spec, event_windows._window_columns(spec, 0, '') | map('first') | list, record, now
    ) -%}
    {%- set renamed = columns | rejectattr(2) | list -%}
    {%- set properties = {} -%}
    {%- if columns and not renamed %}{% do event_windows._show_reshaped(spec, tables, record, done) %}{% endif -%}
    {%- if event_windows._note_leaving(record, now) -%}
        {%- do done.update({'leave': true}) -%}
        {%- do properties.update({'event_windows.expired': '0'}) -%}
    {%- endif -%}
    {%- do done.update({'late_again': event_windows._late_again(record, now)}) -%}
    {%- if done.late_again %}{% do properties.update({'event_windows.late_again': done.late_again}) %}{% endif -%}
    {%- if not event_windows._is_same_sql(record.spec.relation, now.relation) -%}
        {%- set reads = {'relation': event_windows._whole_relation(spec.get('built_from', spec.relation))} -%}
        {%- do properties.update({'event_windows.reads': reads}) -%}
    {%- endif -%}
    {%- do event_windows._reshape_table(spec, tables.windows, record.spec, now, columns, properties, done) -%}
    {%- if renamed %}{% do event_windows._show_reshaped(spec, tables, record, done) %}{% endif -%}
    {%- set published = event_windows._record_in(event_windows._properties(tables.model))
        if spec.emit == 'final' and record.published else none -%}
    {%- if published -%}
        {%- set names = event_windows._published_columns(spec) | map('first') | list -%}
        {%- set columns = event_windows._columns_before(
            spec, names + ['_ew_segment', '_ew_refresh'], published, now
        ) -%}
        {%- do event_windows._reshape_table(spec, tables.model, published.spec, now, columns, {}, done) -%}
    {%- endif -%}
{% endmacro %}


{#
    Notes that windows leave sooner, or later, than they did, if so: they do in the end of this run, or of the next if
    it is killed, and the last commit does not lack it. Returns whether it is so.
#}
{% macro _note_leaving(record, now) %}
    {%- set differs = record.spec.leaves_after != now.leaves_after -%}
    {%- if differs %}{% do record.update({'expired': record.progress.number}) %}{% endif -%}
    {{- return(differs) -}}
{% endmacro %}


{#
    Which rows that were late may count by the grace there is now, as their keys have not been made anew since: 'true'
    for those in m__dropped, 'all' where nobody knows which; none if there are none. What was done is done by the grace
    of the run that did it, and another run may have recorded another one meanwhile.
#}
{% macro _late_again(record, now) %}
    {%- set recorded = record.properties.get('event_windows.late_again') or '' -%}
    {%- if recorded in ('true', 'all') %}{{- return(recorded) -}}{% endif -%}
    {%- set longer = event_windows._is_longer_grace(record.spec, now) -%}
    {%- if recorded.startswith('done ') and now.window.grace is not none -%}
        {%- set by = recorded.split(' ')[1] | int -%}
        {#- rows that counted by a longer one are in no table of dropped rows -#}
        {%- if by > now.window.grace %}{{- return('all') -}}{% endif -%}
        {%- set longer = longer or by < now.window.grace -%}
    {%- endif -%}
    {{- return('true' if longer else none) -}}
{% endmacro %}


{# Each run looks at it until a commit bears that these keys were made anew. #}
{% macro _record_late_again(tables, done, late_again) %}
    {%- do event_windows._statement(done, 'progress', event_windows._set_properties(
        tables.windows, {'event_windows.late_again': late_again}
    )) -%}
{% endmacro %}


{#
    The keys of these rows have been made anew by the grace of this run, and a commit bears it: until there is one a run
    of the model as it was, which began before, may still drop rows by the grace that it knows.
#}
{% macro _late_rows_count(spec, tables, done) %}
    {%- set bearing = [] -%}
    {#- a commit of a run that was killed does so where it made these keys anew itself -#}
    {%- for run in done.runs if not run.resumed or (run.progress.rebuilt or {}).late_rows -%}
        {%- do bearing.append(run.number) -%}
    {%- endfor -%}
    {%- if done.late_again and bearing -%}
        {%- do event_windows._record_late_again(tables, done, 'done ' ~ spec.window.grace) -%}
        {%- do done.update({'late_again': none}) -%}
    {%- endif -%}
{% endmacro %}


{# Whether a run will do something of it. #}
{% macro _reshapes(spec, record) %}
    {%- set now = event_windows._fingerprint(spec) -%}
    {{- return(event_windows._is_recorded_otherwise(
        record.spec, now, event_windows._columns_before(spec, [''], record, now)
    )) -}}
{% endmacro %}


{% macro _is_recorded_otherwise(recorded, now, columns) %}
    {%- for option in ['retention', 'leaves_after', 'expire'] if recorded[option] != now[option] -%}
        {{- return(true) -}}
    {%- endfor -%}
    {{- return(columns | length > 0 or event_windows._is_longer_grace(recorded, now)
        or not event_windows._is_same_sql(recorded.relation, now.relation)) -}}
{% endmacro %}


{# One of the tables: columns, where they are not as they were, and its record. #}
{% macro _reshape_table(spec, table, recorded, now, columns, properties, done) %}
    {%- if event_windows._is_recorded_otherwise(recorded, now, columns) -%}
        {%- set properties = dict(properties, **{'event_windows.spec': now}) -%}
        {%- set statements = event_windows._of_format(
            spec.file_format, 'reshape', table, columns, properties, partition_by='_ew_segment',
            followed=table == this or spec.emit == 'updates'
        ) if columns else [event_windows._set_properties(table, properties)] -%}
        {%- for sql in statements %}{% do event_windows._statement(done, 'reshape', sql) %}{% endfor -%}
    {%- endif -%}
{% endmacro %}


{#
    The columns that a table is to have, [[name, name in the table now, whether they are the same]], as SQL; none where
    it has just these. In plain SQL their order means nothing. Where a run was killed while it changed them they are
    not those that are recorded, whatever the model says now.
#}
{% macro _columns_before(spec, columns, record, now) %}
    {%- set aggregates = record.spec.aggregates -%}
    {%- set names = event_windows._stored_names(aggregates, now.aggregates) -%}
    {%- set there, wanted = aggregates.keys() | list, now.aggregates.keys() | list -%}
    {%- if not record.properties['event_windows.reshaping']
        and (there == wanted or (spec.plain is not none and there | sort == wanted | sort)) -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- set before = {} -%}
    {%- for aggregate in spec.aggregates if names[aggregate.name] != aggregate.name -%}
        {%- set new, old = aggregate.name, names[aggregate.name] -%}
        {%- do before.update({event_windows._name(new): event_windows._name(old)}) -%}
        {%- for part in aggregate.parts -%}
            {%- set column = modules.re.sub('^`|`$', '', part.column) | replace('``', '`') -%}
            {%- if column.startswith('_ew_' ~ new ~ '_') -%}
                {%- set stored = '_ew_' ~ old ~ column[('_ew_' ~ new) | length:] -%}
                {%- do before.update({part.column: event_windows._name(stored)}) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set found = [] -%}
    {%- for column in columns -%}
        {%- do found.append([column, before.get(column, column), column not in before]) -%}
    {%- endfor -%}
    {{- return(found) -}}
{% endmacro %}


{# The view of a model in plain SQL, as close to the change of its windows as can be. #}
{% macro _show_reshaped(spec, tables, record, done) %}
    {%- if event_windows._is_shown_by_view(spec) -%}
        {%- do event_windows._show_anew(spec, tables, record, done) -%}
        {%- do record.update({'view': event_windows._view_property(spec)['event_windows.view']}) -%}
    {%- endif -%}
{% endmacro %}


{#
    expire='delete' over windows that told clocks until now: the log takes up what they tell, before one of them leaves,
    and where clocks were moved that, too, but for keys made anew that have gone. Asked by every run, since a run of the
    model as it was may have committed meanwhile. What the last refresh is to append itself is not enough where windows
    before it told clocks.
#}
{% macro _take_up_clocks(spec, tables, record, seen, done) %}
    {%- set kept, last = dict(spec, leaves_after=none), record.progress -%}
    {%- if not last.full and (seen.clocked or 0) < last.number and (not last.logs or last.logged < last.number - 1)
        and not event_windows._windows_tell_clocks(spec) and event_windows._windows_tell_clocks(kept) -%}
        {%- set run = event_windows._resumed_run(last, done.statements) -%}
        {%- if last.rebuilt and run.advance_to is not none -%}
            {%- do run.update({'rebuilt': event_windows._found_rebuilt(spec, tables, run, last.rebuilt)}) -%}
        {%- endif -%}
        {%- do event_windows._statement(run, 'clocks', event_windows._append_clocks(kept, tables, run)) -%}
        {%- do seen.update({'clocked': run.number}) -%}
    {%- endif -%}
{% endmacro %}


{# Windows that have left by the clocks up to the last refresh, where they leave sooner than they did then. #}
{% macro _leave_sooner(spec, tables, done) %}
    {%- if done.leave -%}
        {%- do event_windows._expire(spec, tables, event_windows._resumed_run(done.progress, done.statements)) -%}
    {%- endif -%}
{% endmacro %}
