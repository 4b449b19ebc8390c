{#
    What a model in plain SQL shows of its windows, as its table records it: {'columns': [[name, SQL over the windows]],
    'having', 'windows', 'hidden'}; none for a model that is a call. `windows` is what stands around the stored windows
    for these, `hidden` has the key columns and bounds that cannot be asked for: of final windows nothing is kept but
    what the SELECT shows.
#}
{% macro _shown_windows(record, problems) %}
    {%- if not record.spec or record.spec.plain is none %}{{- return(none) -}}{% endif -%}
    {%- set shown = record.spec.plain if record.spec.plain is mapping else record.shown -%}
    {%- if not shown -%}
        {%- do problems.append('the table does not record what its model shows: run the model once') -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return({
        'columns': shown.columns, 'having': shown.having, 'windows': shown.windows, 'hidden': []
    }) -}}
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
        {%- set place = '1' if column == '_ew_all' else event_windows._shown_as(table.shown, column) -%}
        {%- set own = place is not none and place | lower == event_windows._name(column) | lower -%}
        {%- if place is none or (column | lower in names and not own) -%}
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


{# The shown column that is a column of the windows, as SQL; a session's end is shown a gap later. Or none. #}
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
{% macro _check_is_shown(table, columns, problems) %}
    {%- set hidden = columns | select('in', table.shown.hidden) | reject('equalto', '_ew_all') | list if table.shown
        else [] -%}
    {%- set public = (table.shown.public or {}).keys() | map('lower') | list if table.shown else [] -%}
    {%- set taken, absent = [], [] -%}
    {%- for column in hidden %}{% do (taken if column | lower in public else absent).append(column) %}{% endfor -%}
    {%- if absent -%}
        {%- set window = 'session_window' if event_windows._trait('absorbs', table.spec) else 'window' -%}
        {%- set fields = {'window_start': window ~ '.start', 'window_end': window ~ '.end'} -%}
        {%- set named = [] -%}
        {%- for column in absent %}{% do named.append(fields.get(column, column)) %}{% endfor -%}
        {%- do problems.append('the model publishes final windows and does not show ' ~ named | join(', ')
            ~ ', by which they are asked for: add it to the SELECT under a name of its own') -%}
    {%- endif -%}
    {%- if taken -%}
        {%- do problems.append('the model publishes final windows and shows something else as ' ~ taken | join(', ')
            ~ ', by which they are asked for: call that otherwise, and let the SELECT show ' ~ taken | join(', ')) -%}
    {%- endif -%}
{% endmacro %}
