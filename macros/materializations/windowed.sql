{#
    A model that is one call of event_windows.windowed(...), kept up to date from new rows alone (docs/refresh.md draws it).
    Nothing is written before the call, the config and the table that is there have been checked.
#}
{% materialization windowed, adapter='spark' %}
    {%- set spec = event_windows._spec_of(sql) -%}
    {%- do event_windows._bring_in_ephemeral(spec) -%}
    {%- do event_windows._check_progress_can_be_told(spec) -%}
    {%- if config.get('contract').enforced %}{% do get_assert_columns_equivalent(sql) %}{% endif -%}
    {%- do event_windows._check_query_functions(spec) -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- set tables = event_windows._tables(this, spec.emit) -%}
    {%- set full_refresh = should_full_refresh() or existing is none -%}
    {%- set record = event_windows._record_of(spec, tables) if not full_refresh else {} -%}
    {%- set advance_to = event_windows._advance_to() -%}

    {{ run_hooks(pre_hooks) }}

    {%- do event_windows._create_ledger(tables.runs) -%}
    {%- if full_refresh -%}
        {%- if existing and existing.is_view %}{% do adapter.drop_relation(existing) %}{% endif -%}
        {%- set done = event_windows._build(spec, tables, advance_to) -%}
    {%- else -%}
        {%- set done = event_windows._refresh(spec, tables, record, advance_to) -%}
    {%- endif -%}
    {% call noop_statement('main', done.message, 'OK', done.windows) %}
        {{ done.sql }}
    {% endcall %}

    {%- do event_windows._create_query_functions(spec, tables) -%}
    {%- do apply_grants(this, config.get('grants'), should_revoke(existing, full_refresh_mode=full_refresh)) -%}
    {%- do persist_docs(this, model) -%}
    {#- dbt-spark comments on a table only where it creates it itself; once, so that an idle run changes nothing -#}
    {%- if full_refresh and config.persist_relation_docs() and model.description -%}
        {%- do run_query('comment on table ' ~ this ~ ' is ' ~ event_windows._literal(model.description)) -%}
    {%- endif -%}

    {{ run_hooks(post_hooks) }}

    {{ return({'relations': [this.incorporate(type='table')]}) }}
{% endmaterialization %}
