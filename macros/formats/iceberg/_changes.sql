{#
    A version is the time at which a snapshot was made the current one, in milliseconds, since snapshots bear no number
    that grows. Where a snapshot follows the one before it, the table's changelog tells; where it does not (the table
    was replaced or rolled back), and where one of them has delete files, of which there is no changelog, the two are
    compared as a whole. Copy-on-write gives back each row that stayed in a rewritten file as deleted and inserted: such
    pairs are no change, and neither is a row that a new table has again.
#}
{% macro _iceberg_changes(relation, columns, identity, from_version, to_version) %}
{%- set own = event_windows._names(columns) -%}
{%- set history = event_windows._iceberg_history(relation) -%}
{{- event_windows._iceberg_check_are_times({'from_version': from_version, 'to_version': to_version}, history) -}}
{%- set pieces = [] -%}
{%- if from_version is not none -%}
    {%- set pieces = event_windows._iceberg_pieces(relation, history, from_version, to_version) -%}
{%- endif -%}
{%- if not pieces -%}
{%- set last = history | last if history else {} %}
select
    {{ own }},
    'insert' as change_type,
    cast({{ last.version or 0 }} as bigint) as change_version,
    cast(null as timestamp) as change_time
from {{ relation }}{{ ' version as of ' ~ last.snapshot if last and from_version is none }}
{{- '\nwhere false' if not last or from_version is not none }}
{%- else -%}
{%- set same_row = event_windows._compared(columns)['values'] | join(', ') %}
select {{ own }}, change_type, change_version, timestamp_millis(change_version) as change_time
from (
    select
        {{ own }}, change_version,
        case
            when count(*) over same_window = 1 then lower(_ew_type)
            when _ew_type = 'INSERT' then 'update_postimage'
            else 'update_preimage'
        end as change_type
    from (
        select
            *,
            count(*) over same_row as _ew_times,
            count_if(_ew_type = 'INSERT') over same_row as _ew_inserts,
            row_number() over (partition by change_version, _ew_type, {{ same_row }} order by 1) as _ew_copy
        from (
            {%- for piece in pieces %}
            {{ event_windows._iceberg_piece(relation, own, piece) | trim }}
            {{- '\n            union all' if not loop.last }}
            {%- endfor %}
        ) as images
        window same_row as (partition by change_version, {{ same_row }})
    ) as images
    where _ew_copy > least(_ew_inserts, _ew_times - _ew_inserts)
    window same_window as (partition by change_version, {{ event_windows._names(identity) }})
) as compared
{%- endif -%}
{%- endmacro %}


{# The id of a snapshot, which Spark calls a version, would be a time long after all commits: no row would be told. #}
{% macro _iceberg_check_are_times(versions, history) %}
    {%- set problems = [] -%}
    {%- for option, version in versions.items() if version is not none and version > 253402300799999 -%}
        {%- set made = history | selectattr('snapshot', 'equalto', version | string)
            | map(attribute='version') | list -%}
        {%- do problems.append(option ~ " is '" ~ version ~ "': give " ~ (made[-1] ~ ', ' if made) ~ 'the time of a '
            ~ 'commit in milliseconds, as in change_version' ~ (', and not the id of a snapshot' if made)) -%}
    {%- endfor -%}
    {%- if problems %}{{ event_windows._raise('changes(...)', problems) }}{% endif -%}
{% endmacro %}


{# What was current, in order: [{'snapshot', 'parent', 'version', 'deletes': has delete files}], ids as text. #}
{% macro _iceberg_history(relation) %}
    {%- set history = [] -%}
    {%- for row in run_query(
        'select cast(snapshot_id as string) as snapshot, cast(parent_id as string) as parent, '
            ~ 'unix_millis(made_current_at) as version, delete_files from ' ~ relation ~ '.history left join ('
            ~ 'select snapshot_id, ' ~ event_windows._iceberg_delete_files() ~ ' as delete_files from ' ~ relation
            ~ '.snapshots) as made using (snapshot_id) order by made_current_at'
    ) -%}
        {%- set parent = row['parent'] | string if row['parent'] is not none else none -%}
        {%- do history.append({
            'snapshot': row['snapshot'] | string, 'parent': parent, 'version': row['version'] | int,
            'deletes': row['delete_files'] | int > 0
        }) -%}
    {%- endfor -%}
    {{- return(history) -}}
{% endmacro %}


{#
    The versions of a range, as stretches in which each snapshot follows the one before it: {'after', 'until',
    'version', 'log'}, snapshots of the changelog, `until` none where nothing bounds it, `version` the first, `log` how
    the changelog is spelled there; and as steps between two that do not follow each other, or of which one has delete
    files: {'from', 'to', 'version'}: the changelog of the commit after which there are none tells rows which were
    deleted before. Who asks for what came after a version that is gone would miss what was deleted since.
#}
{% macro _iceberg_pieces(relation, history, from_version, to_version) %}
    {%- set before, wanted = [], [] -%}
    {%- for step in history if to_version is none or step.version <= to_version -%}
        {%- do (before if step.version < from_version else wanted).append(step) -%}
    {%- endfor -%}
    {%- if wanted and not before and (from_version > 1 or wanted[0].parent) -%}
        {{ event_windows._stop('nothing tells what ' ~ relation ~ ' was before version ' ~ wanted[0].version ~ ', the '
            ~ 'first that is kept, so that its changes from version ' ~ from_version ~ ' on cannot be told: begin '
            ~ 'again without from_version' ~ ('' if wanted[0].parent
                else ', or with 1 if that version made the table, and no snapshot was expired before it')) }}
    {%- endif -%}
    {%- set last = namespace(step=before[-1] if before else {'snapshot': none, 'deletes': false}) -%}
    {%- set pieces = [] -%}
    {%- for step in wanted -%}
        {%- if step.parent != last.step.snapshot or step.deletes or last.step.deletes -%}
            {%- do pieces.append({'from': last.step.snapshot, 'to': step.snapshot, 'version': step.version}) -%}
        {%- elif pieces and pieces[-1].until is defined -%}
            {%- do pieces[-1].update({'until': step.snapshot}) -%}
        {%- else -%}
            {%- set stretches = pieces | selectattr('until', 'defined') | list | length -%}
            {%- do pieces.append({
                'after': last.step.snapshot, 'until': step.snapshot, 'version': step.version,
                'log': event_windows._iceberg_log_name(relation, stretches)
            }) -%}
        {%- endif -%}
        {%- set last.step = step -%}
    {%- endfor -%}
    {#- what is committed after this was compiled belongs to it -#}
    {%- if to_version is none and pieces and pieces[-1].until is defined -%}
        {%- do pieces[-1].update({'until': none}) -%}
    {%- endif -%}
    {{- return(pieces) -}}
{% endmacro %}


{#
    A table that a statement names twice is one for Spark, whatever the options of each (it keeps relations by names and
    versions alone), so that both would have the rows of the first. Iceberg takes `changes` in any case of its letters,
    Spark only in the same one: so each stretch spells it otherwise.
#}
{% macro _iceberg_log_name(relation, before) %}
    {%- set letters = [] -%}
    {%- for letter in 'changes' -%}
        {%- do letters.append(letter | upper if (before // 2 ** loop.index0) % 2 else letter) -%}
    {%- endfor -%}
    {%- if before >= 2 ** (letters | length) -%}
        {{ event_windows._stop(relation ~ ' was replaced or rolled back more often in this range than one query can '
            ~ 'tell (' ~ 2 ** (letters | length) ~ ' times): ask for its changes from a later version on, or up to an '
            ~ 'earlier one') }}
    {%- endif -%}
    {{- return(letters | join) -}}
{% endmacro %}


{#
    The images of rows in one of them. A snapshot that was current before, and has come back, bears the time at which it
    did. Iceberg reads a changelog wrong where one of its own columns is left out, and cannot filter by them: so both
    numbers are in one expression, which Spark does not push into the scan.
#}
{% macro _iceberg_piece(relation, own, piece) %}
    {%- if piece.until is not defined %}
            select {{ own }}, 'DELETE' as _ew_type, {{ piece.version }} as change_version
            from {{ relation }} version as of {{ piece.from }}
            union all
            select {{ own }}, 'INSERT' as _ew_type, {{ piece.version }} as change_version
            from {{ relation }} version as of {{ piece.to }}
    {%- else -%}
    {%- set options = [] -%}
    {%- if piece.after %}{% do options.append("'start-snapshot-id' = '" ~ piece.after ~ "'") %}{% endif -%}
    {%- if piece.until %}{% do options.append("'end-snapshot-id' = '" ~ piece.until ~ "'") %}{% endif %}
            select {{ own }}, _change_type as _ew_type, made.change_version
            from {{ relation }}.{{ piece.log }}{{ ' with (' ~ options | join(', ') ~ ')' if options }} as logged
            inner join (
                select snapshot_id as _ew_snapshot, unix_millis(min(made_current_at)) as change_version
                from {{ relation }}.history
                where unix_millis(made_current_at) >= {{ piece.version }}
                group by snapshot_id
            ) as made on coalesce(logged._commit_snapshot_id, logged._change_ordinal) = made._ew_snapshot
    {%- endif %}
{% endmacro %}
