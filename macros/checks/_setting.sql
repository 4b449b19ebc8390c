{#
    The package's settings in a model's config: meta first, then config itself. While dbt parses, config.get answers ''.
#}
{% macro _setting(name, default=none) %}
    {%- set given = event_windows._tested_config() if execute and model.resource_type == 'unit_test' else config -%}
    {%- set meta = given.get('meta', {}) or {} -%}
    {%- set value = meta[name] if name in meta else given.get(name) -%}
    {{- return(default if value in (none, '') else value) -}}
{% endmacro %}


{#
    The config of the model that a unit test is of, as far as its own text says it: to dbt the test has one of its own.
    The text is rendered once more for it, and asks for settings itself meanwhile.
#}
{% macro _tested_config() %}
    {%- if 'event_windows_config' not in context -%}
        {%- do context.update({'event_windows_config': {}}) -%}
        {%- do render(event_windows._with_config_as('_note_config', model.raw_code)) -%}
    {%- endif -%}
    {{- return(context.event_windows_config) -}}
{% endmacro %}


{% macro _note_config() %}
    {%- do context.event_windows_config.update(varargs[0] if varargs else kwargs) -%}
{% endmacro %}


{# The text of a model in which a macro of the package is called wherever it calls config(...). #}
{% macro _with_config_as(name, raw) %}
    {{- return(modules.re.sub(
        '(\\{[{%][-+]?\\s*(?:do\\s+)?)config\\s*\\(', '\\1event_windows.' ~ name ~ '(', raw
    )) -}}
{% endmacro %}


{# All settings of a model, in its config or below meta. #}
{% macro _setting_names() %}
    {{- return([
        'arrival_order', 'arrived_at', 'emit', 'expire', 'file_format', 'grace', 'joins', 'max_ahead', 'partition',
        'query_functions', 'replay', 'retention', 'segment_interval', 'segments', 'skipped_rows', 'source_changes',
        'stream_time'
    ]) -}}
{% endmacro %}


{#
    A var of the package. dbt looks for it under the name of the project whose model it is, and not under that of the
    package, where those of other packages stand.
#}
{% macro _var(name) %}
    {%- set full, given = 'event_windows__' ~ name, event_windows._given_vars() -%}
    {{- return(given.package[full] if full in given.package and full not in given.command
        else var(full, event_windows._var_defaults()[name])) -}}
{% endmacro %}


{# All vars of the command line, of dbt_project.yml, and there below the name of the package. #}
{% macro _given_vars() %}
    {%- set project = (adapter.config.vars.vars if adapter.config and adapter.config.vars else none) or {} -%}
    {{- return({
        'command': invocation_args_dict.get('vars') or {}, 'project': project,
        'package': project.get('event_windows') or {}
    }) -}}
{% endmacro %}


{#
    Vars of the package, all of them, with what holds without one. Units are in the names; each is checked where it is
    used.

    file_format                the format of windowed models that do not say; without it the first of _formats()
    advance_to                 a timestamp in text: clocks that are behind it are moved there
    max_rows_per_refresh       a run takes at most about so many rows a commit, and makes as many commits as it needs
    max_windows_per_row        how many windows a row may be in, before a model is refused
    max_rows_per_key           how many rows of one key a Python function takes at once, or puts into windows, before
                               it stops
    views                      whether the catalogue holds views, where that is not to be asked: true or false
    replay                     what replays late rows in models that do not say: python or sql
    max_replay_steps           how many steps a replay in SQL takes over rows of one key, before it stops
    must_be                    incremental: a run that would build its table from all rows stops
    rebuild                    a condition over key columns: these keys are made anew from all of their rows
    demo, demo_table           the demonstration's models are on; the table that they read
#}
{% macro _var_defaults() %}
    {{- return({
        'file_format': none, 'advance_to': none, 'max_rows_per_refresh': none, 'max_windows_per_row': 10000,
        'max_rows_per_key': 20000000, 'views': none, 'replay': none, 'max_replay_steps': 10000,
        'must_be': none, 'rebuild': none, 'demo': false, 'demo_table': none
    }) -}}
{% endmacro %}


{# A var that counts something, as a whole number above 0; none where there is none. #}
{% macro _count_var(name) %}
    {%- set value = event_windows._var(name) -%}
    {%- if value is none %}{{- return(none) -}}{% endif -%}
    {%- if not modules.re.fullmatch('[1-9][0-9]{0,17}', value | string) -%}
        {{ event_windows._raise('var event_windows__' ~ name, [
            'it is ' ~ tojson(value | string) ~ ', and a whole number above 0 is allowed'
        ]) }}
    {%- endif -%}
    {{- return(value | int) -}}
{% endmacro %}
