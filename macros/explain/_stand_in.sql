{#
    Lets the macros that a run of a model calls run for it here, where dbt has no model: they find it, its config and
    its relation in their context, and what they would write to target/run goes nowhere. Returns what was there before,
    to be put back. A ref would not do for the relation: no operation may name a private model.
#}
{% macro _stand_in(node) %}
    {%- set before = {} -%}
    {%- for name in ['model', 'config', 'this', 'write'] -%}
        {%- do before.update({name: context.get(name)}) -%}
    {%- endfor -%}
    {%- do context.update({
        'model': node, 'config': node.config, 'write': event_windows._write_nothing,
        'this': event_windows._relation_of_name(node.relation_name)
    }) -%}
    {{- return(before) -}}
{% endmacro %}


{% macro _write_nothing(text) %}
    {{- return('') -}}
{% endmacro %}


{#
    The compiled text of the model that stands in: {'sql', 'why_not'}, sql none where it cannot be had outside of a run.
    dbt has put what config(...) says into the node's config already.
#}
{% macro _text_of(node) %}
    {%- for id in node.depends_on.nodes if id in graph.nodes -%}
        {%- set read = graph.nodes[id] -%}
        {%- set kind = 'ephemeral' if read.config.materialized == 'ephemeral'
            else 'private' if read.access == 'private' else none -%}
        {%- set why_not = 'it reads the ' ~ kind ~ ' model ' ~ read.name -%}
        {%- if kind %}{{- return({'sql': none, 'why_not': why_not}) -}}{% endif -%}
    {%- endfor -%}
    {%- set raw = event_windows._with_config_as('_say_nothing', node.raw_code) -%}
    {%- if modules.re.search('\\bconfig\\s*\\(|\\bconfig\\s*\\.\\s*(?!get\\b)', raw) -%}
        {{- return({'sql': none, 'why_not': 'it uses config in another way than config(...) and config.get(...)'}) -}}
    {%- endif -%}
    {{- return({'sql': render(raw), 'why_not': none}) -}}
{% endmacro %}
