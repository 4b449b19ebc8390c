{# The same for people: a table with a line for each model, then what is to be said of each. #}
{% macro _told_models(explained) %}
    {%- set lines = [['model', 'next run', 'new rows', 'late keys', 'windows read', 'refreshes', 'commits']] -%}
    {%- for told in explained -%}
        {%- set line = [told.model, told.run] -%}
        {%- for name in ['rows', 'late_keys', 'windows', 'refreshes', 'commits'] -%}
            {%- do line.append('' if told[name] is none else told[name] | string) -%}
        {%- endfor -%}
        {%- do lines.append(line) -%}
    {%- endfor -%}
    {%- set texts = [] -%}
    {%- for line in lines -%}
        {%- set cells = [] -%}
        {%- for cell in line -%}
            {%- set place = loop.index0 -%}
            {%- set width = lines | map(attribute=place) | map('length') | max -%}
            {%- do cells.append(cell ~ ' ' * (width - cell | length) if place < 2
                else ' ' * (width - cell | length) ~ cell) -%}
        {%- endfor -%}
        {%- do texts.append((cells | join('  ')).rstrip()) -%}
    {%- endfor -%}
    {%- for told in explained -%}
        {%- set sentences = event_windows._told_sentences(told) -%}
        {%- if sentences %}{% do texts.append('\n' ~ told.model ~ '\n  - ' ~ sentences | join('\n  - ')) %}{% endif -%}
    {%- endfor -%}
    {{- return(texts | join('\n')) -}}
{% endmacro %}


{# What is to be said of one model, a sentence each. #}
{% macro _told_sentences(told) %}
    {%- set sentences = told.why + told.notes -%}
    {%- for arrivals in told.arrivals -%}
        {%- do sentences.append(arrivals.rows ~ ' new row(s)'
            ~ (' of partition ' ~ arrivals.partition if arrivals.partition is not none)
            ~ ', numbers ' ~ arrivals.from ~ ' to ' ~ arrivals.to) -%}
    {%- endfor -%}
    {%- if told.since_last_run is not none -%}
        {%- do sentences.append('the last refresh that committed began ' ~ event_windows._told_ago(told.since_last_run)
            ~ ', at ' ~ told.last_run) -%}
    {%- endif -%}
    {%- if told.arrived -%}
        {%- do sentences.append('the oldest of them arrived ' ~ event_windows._told_ago(told.waiting) ~ ', at '
            ~ told.arrived) -%}
    {%- endif -%}
    {%- if told.keys_rebuilt -%}
        {%- do sentences.append(told.keys_rebuilt ~ ' key(s) are made anew, from all of their ' ~ told.rows_rebuilt
            ~ ' row(s)') -%}
    {%- endif -%}
    {%- if told.oldest_event -%}
        {%- do sentences.append('the oldest new event is of ' ~ told.oldest_event ~ ': the ' ~ told.windows
            ~ ' stored window(s) of ' ~ told.segments ~ ' segment(s) from there on are read') -%}
    {%- endif -%}
    {%- if told.late_keys -%}
        {%- do sentences.append('in ' ~ told.late_keys ~ ' key(s) a new row may be late: their rows are replayed') -%}
    {%- endif -%}
    {%- if told.uncountable -%}
        {%- do sentences.append(told.uncountable ~ ' new row(s) can be in no window: they go to the dropped rows') -%}
    {%- endif -%}
    {%- if told.groups %}{% do sentences.append(told.groups ~ ' group(s) are computed anew') %}{% endif -%}
    {%- if told.steps %}{% do sentences.append('it sends: ' ~ told.steps | join(', ')) %}{% endif -%}
    {{- return(sentences) -}}
{% endmacro %}


{# So many seconds before now, in its two largest units. #}
{% macro _told_ago(seconds) %}
    {%- set unit = 86400 if seconds >= 86400 * 10 else 3600 if seconds >= 86400 else 60 if seconds >= 3600 else 1 -%}
    {{- return(event_windows._told_length(seconds // unit * unit * 1000000) ~ ' ago' if seconds > 0 else 'just now') -}}
{% endmacro %}
