{# The record of the table that is there, checked: it was built from the same text as this one. #}
{% macro _rollup_record(spec) %}
    {%- set latest = event_windows._of_format(spec.file_format, 'latest', this) -%}
    {%- if latest and not load_cached_relation(this).is_view %}{% do run_query(latest) %}{% endif -%}
    {%- set problems = event_windows._rollup_problems(spec) -%}
    {%- if problems %}{{ event_windows._raise("model '" ~ model.name ~ "'", problems) }}{% endif -%}
    {{- return(event_windows._recorded_rollup(this)) -}}
{% endmacro %}


{# Why a run would refuse the table that is there, one sentence each. #}
{% macro _rollup_problems(spec) %}
    {%- set there = event_windows._own_properties(this) if not load_cached_relation(this).is_view else {} -%}
    {%- if 'event_windows.rollup' not in there -%}
        {{- return(['the table ' ~ this ~ " exists and was not built by materialized='rollup': run with --full-refresh "
            ~ 'to replace it']) -}}
    {%- endif -%}
    {{- return(event_windows._rollup_differences(spec, fromjson(there['event_windows.rollup'])) if spec else []) -}}
{% endmacro %}


{# What of a rollup decides what its table holds. #}
{% macro _rollup_fingerprint(spec) %}
    {{- return({
        'layout': 1, 'text': spec.text, 'columns': spec.columns, 'groups': spec.groups,
        'file_format': spec.file_format, 'zone': spec.zone
    }) -}}
{% endmacro %}


{# What was made otherwise than the model now says, one sentence each. #}
{% macro _rollup_differences(spec, recorded) %}
    {%- set problems = [] -%}
    {%- for what, now in event_windows._rollup_fingerprint(spec).items()
        if tojson(recorded[what], sort_keys=true) != tojson(now, sort_keys=true) -%}
        {%- do problems.append(what ~ ' was ' ~ tojson(recorded[what]) ~ ' when the table was built and is '
            ~ tojson(now) ~ ' now: run with --full-refresh to build it again, or change it back') -%}
    {%- endfor -%}
    {{- return(problems) -}}
{% endmacro %}


{# How far a run follows the model above. #}
{% macro _rollup_progress(spec, number) %}
    {{- return({
        'number': number, 'version': spec.above.version,
        'generation': spec.above.generation if not flags.EMPTY else none,
        'above': spec.above.stored | string, 'view': event_windows._shape_of(spec.above), 'run_id': invocation_id
    }) -}}
{% endmacro %}


{# What the model above shows of its table, in short: a change of its columns may have written the table anew. #}
{% macro _shape_of(above) %}
    {{- return(local_md5(tojson([above.view, above.columns.keys() | sort]))) -}}
{% endmacro %}


{# Why what is stored cannot be brought up to date, so that every group is computed again; none if it can. #}
{% macro _why_anew(spec, record) %}
    {%- set shown = spec.above.name ~ ' shows its windows in another way'
        if record.view != event_windows._shape_of(spec.above) else none -%}
    {{- return(event_windows._why_not_followed(record, spec.above) or shown) -}}
{% endmacro %}
