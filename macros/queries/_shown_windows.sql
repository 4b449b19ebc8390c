{#
    What a model in plain SQL shows of its windows, as its table records it: {'columns': [[name, SQL over the windows]],
    'having', 'hidden'}; none for a model that is a call. `hidden` has the key columns and bounds that cannot be asked
    for: of final windows nothing is kept but what the SELECT shows.
#}
{% macro _shown_windows(record, problems) %}
    {%- if not record.spec or record.spec.plain is none %}{{- return(none) -}}{% endif -%}
    {%- set shown = record.spec.plain if record.spec.plain is mapping else record.shown -%}
    {%- if not shown -%}
        {%- do problems.append('the table does not record what its model shows: run the model once') -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return({'columns': shown.columns, 'having': shown.having, 'hidden': []}) -}}
{% endmacro %}


{#
    Published windows of plain SQL under the names by which windows are asked for: key, window_start and window_end, and
    `counts`, outputs that count rows, beside the columns that are shown. Their HAVING has been applied. `time` is the
    type of their bounds.
#}
{% macro _as_stored(table, time, counts=[]) %}
    {%- set names = table.columns.keys() | map('lower') | list -%}
    {%- set bounds = ['window_start', 'window_end'] -%}
    {%- set added, kept = [], [] -%}
    {%- do table.shown.update({'public': dict(table.columns), 'names': {}}) -%}
    {%- for column in table.spec.key + bounds + counts -%}
        {%- set place = event_windows._shown_as(table.shown, column) -%}
        {%- if place is none or (column | lower in names and place | lower != event_windows._name(column) | lower) -%}
            {%- do table.shown.hidden.append(column) -%}
        {%- else -%}
            {%- for name, _ in table.shown.columns if event_windows._name(name) == place -%}
                {%- do table.shown.names.update({column: name}) -%}
            {%- endfor -%}
            {%- if column | lower not in names %}{% do added.append(place ~ ' as ' ~ event_windows._name(column)) %}
            {%- endif -%}
        {%- endif -%}
        {%- if column | lower not in names -%}
            {%- do table.columns.update({column: time if column in bounds else none}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for name, _ in table.shown.columns -%}
        {%- do kept.append([name, event_windows._name(name)]) -%}
    {%- endfor -%}
    {%- do table.shown.update({'columns': kept, 'having': none}) -%}
    {%- if added -%}
        {%- do table.update({'sql': '(select *, ' ~ added | join(', ') ~ ' from ' ~ table.sql ~ ')'}) -%}
    {%- endif -%}
{% endmacro %}


{# The shown column that is a column of the windows, as SQL; a session's end is shown a gap later. None where none is. #}
{% macro _shown_as(shown, column) %}
    {%- set wanted = event_windows._name(column) | lower -%}
    {%- for name, sql in shown.columns if sql | lower == wanted or sql | lower == column | lower -%}
        {{- return(event_windows._name(name)) -}}
    {%- endfor -%}
    {%- for name, sql in shown.columns if column == 'window_end' -%}
        {%- set later = modules.re.fullmatch("window_end \\+ (cast\\('[^']*' as interval\\))", sql) -%}
        {%- if later %}{{- return(event_windows._name(name) ~ ' - ' ~ later.group(1)) -}}{% endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{# That these columns of the windows can be asked for. #}
{% macro _check_shown(table, columns, problems) %}
    {%- set hidden = columns | select('in', table.shown.hidden) | reject('equalto', '_ew_all') | list if table.shown
        else [] -%}
    {%- if hidden -%}
        {%- do problems.append('the model publishes final windows and does not show ' ~ hidden | join(', ')
            ~ ', by which they are asked for: add it to the SELECT under a name of its own') -%}
    {%- endif -%}
{% endmacro %}


{#
    The condition that a session ends at a time or later. One in plain SQL ends, as Spark has it, a gap after its last
    event.
#}
{% macro _ends_from(table, time, nullable=false) %}
    {%- set later = table.shown and event_windows._trait('absorbs', table.spec) and time is not none -%}
    {%- set type = event_windows._window_time_type(table) -%}
    {%- if later and table.spec.window.gap_by -%}
        {%- set reached = 'stored._ew_until >= ' ~ event_windows._micros(time, type) -%}
        {{- return(['(' ~ time ~ ' is null or ' ~ reached ~ ')' if nullable else reached]) -}}
    {%- elif later -%}
        {%- set time = event_windows._from_micros(
            '(' ~ event_windows._micros(time, type) ~ ' - ' ~ table.spec.window.gap ~ ')', type
        ) -%}
    {%- endif -%}
    {%- set to_end = -1 if table.spec and event_windows._trait('exclusive_end', table.spec) else 0 -%}
    {{- return(event_windows._bound(table, 'window_end', '>=', time, to_end, nullable)) -}}
{% endmacro %}


{# The key that users know: plain SQL without one has a column that stands for it. #}
{% macro _known_key(spec) %}
    {{- return(spec.key | reject('equalto', '_ew_all') | list) -}}
{% endmacro %}
