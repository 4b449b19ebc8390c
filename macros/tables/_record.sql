{#
    What a windows table records of itself.

    As properties, written in the commit of the build:
    event_windows.spec        what it holds, to notice a changed model
    event_windows.build       the progress (see _progress) of the build that made it. Its number names the generation:
                              all that stands beside the table and bears a lower one is of another table. The relation
                              is as it was written, to be read; `settings` are those of _told_session
    event_windows.reads       {relation}: what the model is over now, where that has changed without a build
    event_windows.published   {number, publisher}: which run has published a build, where that is not the build's own
    event_windows.view        what the model shows of it, in short; in plain SQL only
    event_windows.shown       {columns, having, windows, around, text: {sql, settings}, by: view or table}: the same in
                              full, with its own text, and what stands before and after the windows in the SELECT

    In its rows: each bears the number of the refresh that wrote it, _ew_refresh, and its progress, _ew_progress. So
    windows and progress are of one commit. Where no row can bear the progress, since there is none or it may leave,
    a property does too, see _progress_names.

    Other properties:
    event_windows.expired     the last refresh after which windows left
    event_windows.last_published  emit='final': the last number that m bore before they left
    event_windows.late_again  whether keys of late rows ('true'), or all of them ('all'), are to be made anew, since the
                              grace is longer now; where that was done by which grace ('done <microseconds>'), or
                              'false', by that of the spec, of former versions of the package
    event_windows.reshaping   whether columns are being changed (Iceberg, which takes several commits for it)

    Numbers never start again (docs/decisions/0017): whatever a run of another generation writes bears a number that
    says so.
#}
{% macro _read_record(spec, relation) %}
    {%- do event_windows._see(spec, relation) -%}
    {{- return(event_windows._recorded(relation)) -}}
{% endmacro %}


{# The generation alone, which properties tell: a build asks it to see whether another one has come. #}
{% macro _read_generation(spec, relation) %}
    {%- do event_windows._see(spec, relation) -%}
    {{- return(event_windows._record_in(event_windows._own_properties(relation)).generation) -}}
{% endmacro %}


{# The same as the session sees the table. #}
{% macro _recorded(relation) %}
    {%- set record = event_windows._record_in(event_windows._own_properties(relation)) -%}
    {%- if record.progress -%}
        {%- set number = event_windows._last_number(relation) -%}
        {%- do record.update({'bare': number is none, 'last_number': number}) -%}
        {#- of two runs with one number the one whose windows there are counts, not the one that found none -#}
        {%- if number is not none and number >= record.progress.number and number > record.generation -%}
            {%- set progress = event_windows._progress_since(relation, number) -%}
            {#- none where the table was built again, or its rows left, between two of these questions -#}
            {%- if progress is none %}{{- return(event_windows._recorded(relation)) -}}{% endif -%}
            {%- do record.update({'progress': progress}) -%}
        {%- endif -%}
    {%- endif -%}
    {{- return(record) -}}
{% endmacro %}


{# The number of the last refresh that rows of a table bear; none where there are none. #}
{% macro _last_number(relation) %}
    {{- return(event_windows._number(
        run_query('select max(_ew_refresh) as number from ' ~ relation).rows[0]['number']
    )) -}}
{% endmacro %}


{#
    The progress that rows of this number or a later one bear; none if there are none. Where two runs have one number
    (one of them changed no window) it is that of the one that read more.
#}
{% macro _progress_since(relation, number) %}
    {%- set text = run_query(event_windows._select_progress_since(relation, number)).rows[0]['progress'] -%}
    {{- return(fromjson(text) if text is not none else none) -}}
{% endmacro %}


{% macro _select_progress_since(relation, number) %}
    {{- return(
        "select max(named_struct('number', _ew_refresh, "
            ~ "'last', cast(get_json_object(_ew_progress, '$.last') as bigint), 'progress', _ew_progress)"
            ~ ').progress as progress from ' ~ relation ~ ' where _ew_refresh >= ' ~ number
    ) -}}
{% endmacro %}


{#
    What properties say: {'spec', 'build', 'reads', 'view', 'shown', 'generation', 'progress', 'expired',
    'last_published', 'properties'}.
    `published`: whether m is of the same build, where that has been asked; `bare`: whether no row bears a number;
    `last_number`: the largest that one bears.
#}
{% macro _record_in(properties) %}
    {%- set record = {
        'spec': none, 'build': none, 'reads': none, 'progress': none, 'shown': none, 'properties': properties,
        'published': true
    } -%}
    {%- for name in ['spec', 'build', 'reads', 'shown'] if 'event_windows.' ~ name in properties -%}
        {%- do record.update({name: fromjson(properties['event_windows.' ~ name])}) -%}
    {%- endfor -%}
    {%- set generation = record.build.number if record.build else 0 -%}
    {%- for name in event_windows._progress_names() if name in properties -%}
        {%- set one = fromjson(properties[name]) -%}
        {%- if one.generation == generation and (record.progress is none or one.number > record.progress.number) -%}
            {%- do record.update({'progress': one}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if record.progress is none -%}
        {#- a table of another version of the package records it in another way -#}
        {%- do record.update({'progress': record.build if record.build and record.build.runs else none}) -%}
    {%- endif -%}
    {%- do record.update({
        'generation': generation, 'view': properties.get('event_windows.view'),
        'expired': properties.get('event_windows.expired', 0) | int,
        'last_published': properties.get('event_windows.last_published', 0) | int
    }) -%}
    {{- return(record) -}}
{% endmacro %}


{#
    What of the spec decides what the table holds. `layout` is one more whenever columns for bookkeeping, or the tables
    beside, change. The relation is that of a build where the text asks is_windowed_run(). With types: a TIMESTAMP that
    became a TIMESTAMP_NTZ would mix two meanings in one table, a column of BIGINT takes a DOUBLE without its fraction,
    a sketch has other hashes for the same numbers of another type, and text other digits.
#}
{% macro _fingerprint(spec) %}
    {%- set aggregates, values = {}, {} -%}
    {%- for aggregate in spec.aggregates -%}
        {%- do aggregates.update({aggregate.name: event_windows._identity(aggregate)}) -%}
        {%- do values.update({
            aggregate.name: [aggregate.type] + aggregate.parts | map(attribute='type') | list
                + aggregate.calls | selectattr('tells_no_type') | map(attribute='argument_type') | list
                + event_windows._types_within(aggregate)
        }) -%}
    {%- endfor -%}
    {%- set typed = spec.key + [spec.event_time, spec.arrival, spec.partition, spec.arrived_at] -%}
    {{- return({
        'layout': event_windows._layout(),
        'relation': event_windows._plain_relation(spec.get('built_from', spec.relation)), 'key': spec.key,
        'event_time': spec.event_time, 'types': event_windows._types_of(typed | select | list, spec),
        'window': spec.window, 'aggregates': aggregates, 'value_types': values,
        'arrival_order': spec.arrival, 'partition': spec.partition, 'stream_time': spec.clock, 'emit': spec.emit,
        'expire': spec.expire, 'retention': spec.retention, 'leaves_after': spec.leaves_after,
        'max_ahead': spec.max_ahead, 'arrived_at': spec.arrived_at, 'file_format': spec.file_format,
        'segment': spec.segment,
        'plain': none if spec.plain is none else 'view' if spec.emit != 'final'
            else {'columns': spec.plain.columns, 'having': spec.plain.having}
    }) -}}
{% endmacro %}


{% macro _layout() %}
    {{- return(3) -}}
{% endmacro %}


{# That a table has another one, and what to do; none where it has this. #}
{% macro _of_another_layout(record, table) %}
    {%- if not record.spec or record.spec.layout == event_windows._layout() %}{{- return(none) -}}{% endif -%}
    {{- return('the table ' ~ table ~ ' was built by another version of the package, which kept other '
        ~ 'columns beside it: run with --full-refresh to build it again') -}}
{% endmacro %}


{#
    Types of what goes through functions before it is kept: as text the 7 of an INT is '7', and '7.0' when its column is
    a DOUBLE.
#}
{% macro _types_within(aggregate) %}
    {%- set types = [] -%}
    {%- for call in aggregate.calls -%}
        {%- for path, type in (call.types_within or {}).items() %}{% do types.append(path ~ ' ' ~ type) %}{% endfor -%}
    {%- endfor -%}
    {{- return(types) -}}
{% endmacro %}


{# The record of the tables that are there, checked: they were built by the same model text as this one. #}
{% macro _record_of(spec, tables) %}
    {%- do event_windows._see_latest(spec, tables) -%}
    {%- set found = event_windows._found_record(spec, tables) -%}
    {%- do event_windows._refuse(found.changed) -%}
    {%- do event_windows._stop_if(found.apart) -%}
    {{- return(found.record) -}}
{% endmacro %}


{#
    The record, and what is wrong with it: {'record', 'changed': sentences about another text, another maker or settings
    of tables, 'apart': one about tables that do not belong together, or none}.
#}
{% macro _found_record(spec, tables) %}
    {%- if load_cached_relation(tables.windows) is none -%}
        {%- set there = load_cached_relation(tables.model) -%}
        {%- set shown = event_windows._read_record(spec, tables.model)
            if there is not none and not there.is_view else {} -%}
        {#- those of a call that are updated are in m itself -#}
        {%- set changed = event_windows._changed(spec, shown) if shown.spec else [] -%}
        {{- return({'record': none, 'apart': none, 'changed': changed or [
            'its table ' ~ tables.windows ~ ' of windows is not there, though '
                ~ (tables.state if tables.windows == tables.model else tables.model)
                ~ ' is: run with --full-refresh to build both again'
        ]}) -}}
    {%- elif load_cached_relation(tables.windows).is_view -%}
        {#- a view of m has its windows in m__state -#}
        {%- set shown = event_windows._read_record(spec, tables.state)
            if load_cached_relation(tables.state) is not none else {} -%}
        {{- return({'record': none, 'apart': none,
            'changed': event_windows._changed(spec, shown) or [event_windows._not_ours()]}) -}}
    {%- endif -%}
    {%- set record = event_windows._read_record(spec, tables.windows) -%}
    {%- set found = {'record': record, 'changed': event_windows._changed(spec, record), 'apart': none} -%}
    {%- set merged = [[tables.windows, record.properties]] -%}
    {%- set there = load_cached_relation(tables.model) if event_windows._shows_state(spec) else none -%}
    {%- if there is not none and not there.is_view and record.shown and record.shown.by == 'view'
        and event_windows._had_ended(tables, record.progress) -%}
        {#- what m was before a build stays where that was killed before it made the view -#}
        {%- do found.changed.append(event_windows._not_ours()) -%}
    {%- endif -%}
    {%- do found.changed.extend([event_windows._view_out_of_reach(spec, tables, record)] | select | list) -%}
    {%- if spec.emit == 'final' and not found.changed -%}
        {%- set published = event_windows._record_in(event_windows._own_properties(tables.model)) -%}
        {%- do merged.append([tables.model, published.properties]) -%}
        {#- a build that was killed has not published yet: m may still be that of an older model -#}
        {%- do record.update({'published': event_windows._is_published(record, published)}) -%}
        {%- if record.published -%}
            {%- do found.update({'changed': event_windows._changed(spec, published)}) -%}
        {%- elif not record.progress.full -%}
            {%- do found.update({'apart': event_windows._published_apart(tables)}) -%}
        {%- endif -%}
    {%- endif -%}
    {%- if not found.changed and not found.apart -%}
        {%- do found.update({'apart': event_windows._lacks_beside(tables, record)}) -%}
    {%- endif -%}
    {%- for table, properties in merged if not found.changed -%}
        {%- set problem = event_windows._of_format(spec.file_format, 'commit_problem', table, properties) -%}
        {%- if problem %}{% do found.changed.append(problem) %}{% endif -%}
    {%- endfor -%}
    {{- return(found) -}}
{% endmacro %}


{#
    Why m, which is a view, cannot be made the table that this session wants; none where it can. A view that its
    catalogue does not list is dropped by sessions alone that could make it, whatever event_windows__views says; and of
    the session's own catalogue one of Hive's by those alone that make such.
#}
{% macro _view_out_of_reach(spec, tables, record) %}
    {%- set there = load_cached_relation(tables.model) -%}
    {%- if there is not none and there.is_view and event_windows._shows_state(spec)
        and not event_windows._views_keep_settings(spec.home) and not event_windows._is_view_of_a_format(there) -%}
        {{- return(tables.model ~ ' was made a view by a session without the spark.sql.extensions of this one, which '
            ~ 'cannot drop it: leave them out (the package does not need them), or drop the view in a session without '
            ~ 'them, after which ' ~ tables.model.identifier ~ ' is a table') -}}
    {%- endif -%}
    {%- if not (record and record.shown and record.shown.by == 'view')
        or event_windows._is_shown_by_view(spec) or spec.home.catalogue == 'spark_catalog'
        or load_cached_relation(tables.model) is not none or event_windows._could_hold_views(spec.home) -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return(tables.model ~ ' was made a view, which this session does not reach, since its Spark asks catalogue '
        ~ spec.home.catalogue ~ ' for none: give it the spark.sql.extensions of the session that made the view; or run '
        ~ "the model there once with --vars '{event_windows__views: false}', by which it becomes a table") -}}
{% endmacro %}


{# Which table beside the windows is not there; none where all are, or a build was killed before it made them. #}
{% macro _lacks_beside(tables, record) %}
    {%- for beside, what in [[tables.clocks, 'its clocks'], [tables.dropped, 'its dropped rows']]
        if load_cached_relation(beside) is none and event_windows._had_ended(tables, record.progress) -%}
        {{- return('the table ' ~ tables.windows ~ ' is there, and ' ~ beside ~ ' with ' ~ what
            ~ ' is not (a clone of the table alone, or one was dropped): run with --full-refresh to build all of '
            ~ 'them again') -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{#
    Whether m is of the same build, and of the run that published it last: that of the build, or the one that has
    finished it.
#}
{% macro _is_published(record, published) %}
    {%- if published.generation != record.generation %}{{- return(false) -}}{% endif -%}
    {%- set last = fromjson(record.properties.get('event_windows.published', '{}')) -%}
    {%- set publisher = last.publisher if last.number == record.generation else record.build.run_id -%}
    {{- return(published.build.publisher == publisher) -}}
{% endmacro %}


{% macro _published_apart(tables) %}
    {{- return('the table ' ~ tables.model ~ ' was published by another build than that of ' ~ tables.windows
        ~ ': run with --full-refresh to build both again') -}}
{% endmacro %}


{% macro _not_ours() %}
    {{- return("the table " ~ this ~ " exists and was not built by materialized='windowed': run with --full-refresh to "
        ~ 'replace it') -}}
{% endmacro %}


{# What was made otherwise than the model now says, one sentence each. #}
{% macro _changed(spec, record) %}
    {%- set of_another = event_windows._of_another_layout(record, this) -%}
    {%- if not record.spec or of_another %}{{- return([of_another or event_windows._not_ours()]) -}}{% endif -%}
    {%- set problems = [] -%}
    {%- set now = event_windows._fingerprint(spec) -%}
    {%- set anew = event_windows._rebuild_problem(spec)
        if event_windows._is_longer_grace(record.spec, now) else none -%}
    {%- set differences = event_windows._differences_of(event_windows._kept_of(record.spec, now, spec), now) -%}
    {%- set changed = differences | map('first') | list -%}
    {#- when windows leave follows from these, unless it is said by itself -#}
    {%- set follow = ['retention', 'leaves_after'] if 'emit' in changed
        else ['leaves_after'] if 'retention' in changed or 'expire' in changed else [] -%}
    {%- for what, before, after in differences | rejectattr(0, 'in', follow) -%}
        {%- set why = 'rows that were late can count now, and their keys cannot be made anew (' ~ anew ~ ')'
            if what == 'window' and anew else event_windows._why_a_build(what) -%}
        {%- do problems.append({'leaves_after': 'retention'}.get(what, what) ~ ' was ' ~ before ~ ' when the table was '
            ~ 'built and is ' ~ after ~ ' now: ' ~ why ~ ', so run with --full-refresh to build it again, or change '
            ~ 'it back') -%}
    {%- endfor -%}
    {{- return(problems) -}}
{% endmacro %}


{# Why another value of an option takes all rows. #}
{% macro _why_a_build(option) %}
    {{- return({
        'aggregates': 'what windows keep of their rows does not give it, or not under this name',
        'key': 'it decides which windows there are, and the columns that tell whose',
        'value_types': 'what is kept of rows that were read before was made of the former',
        'retention': 'it decides which windows rows have joined',
        'expire': 'windows that have left the table are gone',
        'leaves_after': 'windows that have left the table are gone',
        'emit': 'windows are kept in another table by it', 'file_format': 'its tables are in the other format',
        'plain': 'what was shown before holds other columns or rows'
    }.get(option, 'it decides which windows there are, or which rows they count')) -}}
{% endmacro %}


{# The record of what a full refresh is going to replace, none where there is nothing of ours: its numbers go on. #}
{% macro _record_there(spec, tables) %}
    {%- set there = load_cached_relation(tables.windows) -%}
    {%- if there is none or there.is_view %}{{- return(none) -}}{% endif -%}
    {%- set record = event_windows._read_record(spec, tables.windows) -%}
    {%- do event_windows._refuse([event_windows._view_out_of_reach(spec, tables, record)]) -%}
    {{- return(record if record.build else none) -}}
{% endmacro %}
