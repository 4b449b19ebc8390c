{#
    Lets the macros that a run of a model calls run for it here, where dbt has no model: they find it, its config and
    its relation in their context, and what they would write to target/run goes nowhere. Returns what was there before,
    to be put back. dbt's own ref would not do: no operation of this package may name a private model, or any model of a
    project that restricts access. A ref of the project's own, which calls that of `builtins`, stays.
#}
{% macro _stand_in(node) %}
    {%- set before = {} -%}
    {%- for name in ['model', 'config', 'this', 'write', 'builtins', 'ref'] -%}
        {%- do before.update({name: context.get(name)}) -%}
    {%- endfor -%}
    {%- do context.update({
        'model': node, 'config': namespace(get=event_windows._config_of_model), 'write': event_windows._write_nothing,
        'this': event_windows._relation_of_name(node.relation_name),
        'builtins': dict(before.builtins, ref=event_windows._ref_of_model, dbts_ref=before.builtins.ref),
        'ref': event_windows._ref_of_model if before.ref == before.builtins.ref else before.ref
    }) -%}
    {{- return(before) -}}
{% endmacro %}


{# What config.get gives to the model that stands in; dbt's own is no dict. #}
{% macro _config_of_model(name, default=none, validator=none) %}
    {{- return(model.config[name] if name in model.config else default) -}}
{% endmacro %}


{% macro _write_nothing(text) %}
    {{- return('') -}}
{% endmacro %}


{#
    What ref gives to the model that stands in: one of those that dbt has found it to depend on, whoever may name it.
    Where that is not one and no other dbt's own says what it is.
#}
{% macro _ref_of_model() %}
    {%- set version = kwargs.version or kwargs.v -%}
    {%- set found = [] -%}
    {%- for id in model.depends_on.nodes if id in graph.nodes -%}
        {%- set read = graph.nodes[id] -%}
        {%- if read.name == varargs[-1] and read.package_name == (varargs[0] if varargs[1:] else read.package_name)
            and read.version | string == (version or read.latest_version) | string -%}
            {%- do found.append(event_windows._relation_of_name(read.relation_name)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(found[0] if found | length == 1 else context.builtins.dbts_ref(*varargs, **kwargs)) -}}
{% endmacro %}


{#
    The compiled text of the model that stands in: {'sql', 'why_not'}, sql none where it cannot be had outside of a run.
    dbt has put what config(...) says into the node's config already.
#}
{% macro _text_of(node) %}
    {%- set ephemeral = event_windows._ephemeral_below(node) -%}
    {%- if ephemeral %}{{- return({'sql': none, 'why_not': 'it reads the ephemeral model ' ~ ephemeral.name}) -}}
    {%- endif -%}
    {%- set raw = event_windows._with_config_as('_say_nothing', node.raw_code) -%}
    {%- if modules.re.search('\\bconfig\\s*\\(|\\bconfig\\s*\\.\\s*(?!get\\b)', raw) -%}
        {{- return({'sql': none, 'why_not': 'it uses config in another way than config(...) and config.get(...)'}) -}}
    {%- endif -%}
    {{- return({'sql': render(raw), 'why_not': none}) -}}
{% endmacro %}
