{# The record of the table that is there, checked: it was built from the same text as this one. #}
{% macro _rollup_record(spec) %}
    {%- if not load_cached_relation(this).is_view %}{% do event_windows._of_format(spec.file_format, 'latest', this) %}
    {%- endif -%}
    {%- set problems = event_windows._rollup_problems(spec) -%}
    {%- do event_windows._refuse(problems) -%}
    {{- return(event_windows._recorded_rollup(this)) -}}
{% endmacro %}


{# Why a run would refuse the table that is there, one sentence each. #}
{% macro _rollup_problems(spec) %}
    {%- set there = event_windows._own_properties(this) if not load_cached_relation(this).is_view else {} -%}
    {%- if 'event_windows.rollup' not in there -%}
        {{- return(['the table ' ~ this ~ " exists and was not built by materialized='rollup': run with --full-refresh "
            ~ 'to replace it']) -}}
    {%- endif -%}
    {%- set problem = event_windows._of_format(
        event_windows._recorded_format(there), 'commit_problem', this, there
    ) -%}
    {{- return(([problem] if problem else [])
        + (event_windows._rollup_differences(spec, fromjson(there['event_windows.rollup'])) if spec else [])) -}}
{% endmacro %}


{# What of a rollup decides what its table holds. #}
{% macro _rollup_fingerprint(spec) %}
    {{- return({
        'layout': 1, 'text': spec.text, 'columns': spec.columns, 'groups': spec.groups,
        'file_format': spec.file_format, 'zone': spec.zone
    }) -}}
{% endmacro %}


{# What was made otherwise than the model now says, one sentence each; columns as users know them. #}
{% macro _rollup_differences(spec, recorded) %}
    {%- set problems = [] -%}
    {%- for what, now in event_windows._rollup_fingerprint(spec).items()
        if tojson(recorded[what], sort_keys=true) != tojson(now, sort_keys=true) -%}
        {%- set told = [] -%}
        {%- for value in [recorded[what], now] -%}
            {%- do told.append(tojson(event_windows._without_hidden(value), sort_keys=true)) -%}
        {%- endfor -%}
        {%- set other = what ~ ' was ' ~ told[0] ~ ' when the table was built and is ' ~ told[1] ~ ' now'
            if told[0] != told[1] else 'what it reads has other columns than when the table was built, or of other '
                ~ 'types, by which its rows are told apart' -%}
        {%- do problems.append(other ~ ': run with --full-refresh to build it again, or change it back') -%}
    {%- endfor -%}
    {{- return(problems | unique | list) -}}
{% endmacro %}


{# Names, or columns with their types, less those that the package adds. #}
{% macro _without_hidden(value) %}
    {%- if value is string or value is not iterable %}{{- return(value) -}}{% endif -%}
    {%- set names, types = [], {} -%}
    {%- for name in value if not name.startswith('_ew_') -%}
        {%- do names.append(name) -%}
        {%- if value is mapping %}{% do types.update({name: value[name]}) %}{% endif -%}
    {%- endfor -%}
    {{- return(types if value is mapping else names) -}}
{% endmacro %}


{# How far a run follows the model above. #}
{% macro _rollup_progress(spec, number) %}
    {{- return({
        'number': number, 'at': event_windows._now_in_micros(), 'version': spec.above.version,
        'table_id': spec.above.table_id, 'generation': spec.above.generation if not flags.EMPTY else none,
        'above': spec.above.stored | string, 'view': event_windows._shape_of(spec.above),
        'order': spec.above.columns.keys() | list, 'shown_as': spec.above.shown_as,
        'settings': spec.settings, 'run_id': invocation_id
    }) -}}
{% endmacro %}


{# Why what is stored cannot be brought up to date, so that every group is computed again; none if it can. #}
{% macro _why_anew(spec, record) %}
    {%- set problem = event_windows._why_not_followed(record, spec.above) -%}
    {%- set other = spec.above.name ~ ' shows its windows in other types'
        if (record.shown_as or none) != spec.above.shown_as else none -%}
    {#- another zone is refused before, see _rollup_fingerprint -#}
    {%- set others = event_windows._other_session(dict(spec, settings=record.settings), spec) -%}
    {{- return(problem or other
        or ('settings of the session decide its values: ' ~ others | join(', ') if others else none)) -}}
{% endmacro %}


{#
    The record of a run after which there are no rows, if that is so of the SELECT: another run may have emptied the
    table from another version. `surely` where no question is needed.
#}
{% macro _record_without_rows(spec, build, number, run, step, surely=false) %}
    {%- set none_there = surely or not event_windows._statement(
        run, step, 'select 1 as there from (\n' ~ event_windows._rollup_query(spec) ~ '\n) as result limit 1'
    ).rows | list -%}
    {%- if none_there -%}
        {%- do event_windows._statement(run, step, event_windows._set_properties(
            this, {'event_windows.without_rows': dict(event_windows._rollup_progress(spec, number), build=build)}
        )) -%}
    {%- endif -%}
{% endmacro %}
