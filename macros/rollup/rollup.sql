{#
    A SELECT with GROUP BY over one windowed model, or over another rollup, kept up to date: groups that rows of the
    model above came into or left since the last run are computed anew, from the version of the model that is read, and
    merged in one commit. Nothing is written before the text and the tables that are there have been checked.
#}
{% materialization rollup, adapter='spark' %}
    {%- do event_windows._check_reads_all() -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- if existing is none %}{% do event_windows._stop_if(event_windows._unlisted([this])) %}{% endif -%}
    {%- set spec = event_windows._rollup_spec(sql) -%}
    {%- if config.get('contract').enforced %}{% do get_assert_columns_equivalent(sql) %}{% endif -%}
    {%- set full_refresh = should_full_refresh() or existing is none -%}
    {%- set record = event_windows._rollup_record(spec) if not full_refresh else none -%}
    {#- dbt's --empty leaves all to the next run -#}
    {%- set reads = full_refresh or not flags.EMPTY -%}
    {%- set why = event_windows._why_anew(spec, record) if record and reads else none -%}
    {%- do event_windows._refuse([event_windows._must_not_build(event_windows._why_full(existing) or why)]) -%}
    {%- set run = {'statements': [], 'views': [], 'message': 'nothing new', 'groups': 0} -%}

    {{ run_hooks(pre_hooks) }}
    {%- do event_windows._check_after_hooks({'zone': spec.zone, 'settings': spec.settings}, pre_hooks) -%}

    {%- if why %}{{ log("event_windows: model '" ~ model.name ~ "' is built anew: " ~ why, info=true) }}{% endif -%}
    {%- if full_refresh or why -%}
        {%- if existing is none -%}
            {%- do event_windows._drop_unlisted_view(dict(spec, home=event_windows._home()), this, none) -%}
        {%- elif existing.is_view -%}
            {%- do adapter.drop_relation(existing) -%}
        {%- endif -%}
        {%- do event_windows._build_rollup(spec, run) -%}
    {%- elif reads and record.version | string != spec.above.version | string -%}
        {%- do event_windows._refresh_rollup(spec, record, run) -%}
    {%- endif -%}

    {% call noop_statement('main', run.message, 'OK', run.groups) %}
        {{- run.statements | join(';\n\n') or '-- nothing new' }}
    {% endcall %}

    {%- do apply_grants(this, config.get('grants'), should_revoke(existing, full_refresh_mode=full_refresh)) -%}
    {%- do event_windows._persist_docs(this, run) -%}

    {{ run_hooks(post_hooks) }}

    {{ return({'relations': [this.incorporate(type='table')]}) }}
{% endmaterialization %}
