{#
    A model that is one call of event_windows.windowed(...), or an analyst's own SELECT with a window in its GROUP BY
    (macros/plain_sql), kept up to date from new rows alone (docs/refresh.md draws it). Nothing is written before the
    call, the config and the tables that are there have been checked.
#}
{% materialization windowed, adapter='spark' %}
    {%- do event_windows._check_reads_all() -%}
    {%- set spec = event_windows._spec_of(sql) -%}
    {%- do spec.update({'home': event_windows._home()}) -%}
    {%- do event_windows._check_can_be_windowed(spec) -%}
    {%- do event_windows._check_query_functions(spec) -%}
    {%- set rebuild = event_windows._rebuild_condition(spec) -%}
    {%- if rebuild or event_windows._follows(spec) -%}
        {%- do event_windows._refuse([event_windows._why_no_rebuild(spec, rebuild)]) -%}
    {%- endif -%}
    {%- do event_windows._check_can_be_shown(spec) -%}
    {%- set tables = event_windows._tables(this, spec.emit, plain=spec.plain is not none) -%}
    {%- set shown_by_view = event_windows._is_shown_by_view(spec) -%}
    {%- set existing = event_windows._existing(this) -%}
    {%- if existing is none %}{% do event_windows._stop_if(event_windows._unlisted([this, tables.state])) %}{% endif -%}
    {%- set why_full = event_windows._why_full(existing) -%}
    {%- do event_windows._refuse([event_windows._must_not_build(why_full)]) -%}
    {%- set full_refresh = why_full is not none -%}
    {%- set taken = event_windows._taken_names(tables, builds=full_refresh) -%}
    {%- do event_windows._refuse(taken) -%}
    {%- set record = event_windows._record_of(spec, tables) if not full_refresh
        else event_windows._record_there(spec, tables) -%}
    {%- if not full_refresh %}{% do spec.update({'segment': record.spec.segment}) %}{% endif -%}
    {%- set advance_to = event_windows._advance_to() -%}
    {%- set done = {'progress': record.progress if record else none, 'runs': [], 'statements': [], 'more': true,
        'rivalled': false, 'bare': record.bare if record else false, 'leave': false,
        'late_again': none, 'rebuild': rebuild.sql if rebuild and not full_refresh else none} -%}

    {#- what is_windowed_run() tells hooks: by the tables that this run leaves a post-hook would be told of the next -#}
    {%- if post_hooks -%}
        {%- do context.update({'event_windows_answer': not full_refresh and event_windows._is_built(this)}) -%}
    {%- endif -%}
    {{ run_hooks(pre_hooks) }}
    {%- do event_windows._check_after_hooks(spec.home.view_keeps if spec.plain else none, pre_hooks) -%}

    {%- do event_windows._create_ledger(spec, tables, done) -%}
    {#- dbt's --empty leaves all to the next run: nothing is finished or made anew over no rows -#}
    {%- set reads = full_refresh or not flags.EMPTY -%}
    {%- if full_refresh -%}
        {%- do event_windows._build(spec, tables, record, advance_to, done) -%}
    {%- elif reads -%}
        {%- do event_windows._warn_if(event_windows._about_other_session(spec, record)) -%}
        {%- do event_windows._reshape(spec, tables, record, done) -%}
        {%- do event_windows._follow_up(spec, tables, record, done) -%}
        {%- do event_windows._leave_sooner(spec, tables, done) -%}
    {%- endif -%}
    {%- if reads -%}
        {%- do event_windows._refresh(spec, tables, advance_to, done) -%}
        {%- if not full_refresh -%}
            {%- do event_windows._show_anew(spec, tables, record, done) -%}
            {%- do event_windows._show_lost_clocks(spec, tables, done) -%}
        {%- endif -%}
        {%- do event_windows._show_as_table(spec, tables, done) -%}
        {%- if not shown_by_view -%}
            {%- do event_windows._persist_docs(this, done) -%}
        {%- elif event_windows._other_comments(this) -%}
            {%- do event_windows._show(spec, tables, done) -%}
        {%- endif -%}
    {%- endif -%}

    {%- set outcome = event_windows._outcome(done) -%}
    {% call noop_statement('main', outcome.message, 'OK', outcome.windows) %}
        {{- done.statements | join(';\n\n') or '-- nothing new' }}
    {% endcall %}

    {%- if reads %}{% do event_windows._create_query_functions(spec, tables) %}{% endif -%}
    {%- do apply_grants(this, config.get('grants'), should_revoke(existing, full_refresh_mode=full_refresh)) -%}

    {{ run_hooks(post_hooks) }}

    {#- dbt's cache must know the windows too: tests may run in this command -#}
    {{ return({'relations': [
        tables.windows.incorporate(type='table'), this.incorporate(type='view' if shown_by_view else 'table')
    ]}) }}
{% endmaterialization %}
