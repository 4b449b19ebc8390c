{#
    Names in the model's config that are nearly settings of the package, and vars of the command line or of
    dbt_project.yml that begin as its own do and are none: dbt takes any name, so that what is misspelt would be passed
    over without a word. Names below meta are the user's own as well, so a warning is all that is due there.
#}
{% macro _check_spelling(problems) %}
    {%- if not execute %}{{- return(none) -}}{% endif -%}
    {%- do event_windows._tell_not_taken() -%}
    {%- set given = model.config or {} -%}
    {%- for name in given -%}
        {%- set meant = event_windows._nearly_a_setting(name) -%}
        {%- if meant -%}
            {%- do problems.append("config has '" ~ name ~ "', which is no setting: is " ~ meant ~ " meant? If it is "
                ~ "for something else, write it below meta") -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for name in given.meta or {} -%}
        {%- set meant = event_windows._nearly_a_setting(name) -%}
        {%- if meant -%}
            {%- do exceptions.warn("event_windows: meta of model '" ~ model.name ~ "' has '" ~ name ~ "', which is no "
                ~ "setting: is " ~ meant ~ " meant?") -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set known = event_windows._var_defaults() -%}
    {%- set given = event_windows._given_vars().values() | map('list') | sum(start=[]) -%}
    {%- for name in given | unique if name.startswith('event_windows__') and name[15:] not in known -%}
        {%- do problems.append("var '" ~ name ~ "' is none of the package: there are event_windows__"
            ~ known | join(', event_windows__')) -%}
    {%- endfor -%}
{% endmacro %}


{#
    The setting that a name is, but for hyphens, underscores, case and one slip (a letter more, less or another, two
    letters changed about); none where it is a setting, or like none.
#}
{% macro _nearly_a_setting(name) %}
    {%- set settings = event_windows._setting_names() -%}
    {%- if name in settings %}{{- return(none) -}}{% endif -%}
    {%- set given = name | lower | replace('_', '') | replace('-', '') -%}
    {%- for setting in settings -%}
        {%- set meant = setting | replace('_', '') -%}
        {%- set same = namespace(first=0, last=0) -%}
        {%- set shorter = [given | length, meant | length] | min -%}
        {%- for place in range(shorter) if given[:place + 1] == meant[:place + 1] -%}
            {%- set same.first = place + 1 -%}
        {%- endfor -%}
        {%- for count in range(1, shorter - same.first + 1) if given[-count:] == meant[-count:] -%}
            {%- set same.last = count -%}
        {%- endfor -%}
        {%- set given_between = given[same.first:given | length - same.last] -%}
        {%- set meant_between = meant[same.first:meant | length - same.last] -%}
        {%- if [given_between | length, meant_between | length] | max < 2
            or meant_between | length == 2 and given_between == meant_between | reverse -%}
            {{- return(setting) -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{#
    Options of dbt-spark's own tables and merges, which a model that had another materialization before may still have,
    or a whole project: its table does not look as they say, and none of its rows does either. Nor are rows held to the
    constraints of a contract.
#}
{% macro _tell_not_taken() %}
    {%- set given = model.config or {} -%}
    {%- if given.materialized not in ['windowed', 'rollup'] %}{{- return(none) -}}{% endif -%}
    {%- set found = [] -%}
    {%- for name in [
        'partition_by', 'clustered_by', 'liquid_clustered_by', 'buckets', 'location_root', 'tblproperties', 'options',
        'unique_key', 'incremental_strategy', 'incremental_predicates', 'merge_update_columns', 'merge_exclude_columns',
        'sql_header'
    ] if given[name] -%}
        {%- do found.append(name) -%}
    {%- endfor -%}
    {%- if given.on_schema_change not in [none, 'ignore'] %}{% do found.append('on_schema_change') %}{% endif -%}
    {%- set constraints = (model.columns or {}).values() | map(attribute='constraints') | select | list -%}
    {%- if (given.contract or {}).enforced and (model.constraints or constraints) -%}
        {%- do found.append('constraints') -%}
    {%- endif -%}
    {%- if found -%}
        {%- do exceptions.warn("event_windows: model '" ~ model.name ~ "' is a " ~ given.materialized ~ ' table, which '
            ~ 'does not take ' ~ found | join(', ') ~ ': its tables are laid out by the package') -%}
    {%- endif -%}
{% endmacro %}
