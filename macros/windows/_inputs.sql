{#
    What windows are put together from has these columns, whether it is a slice of new rows or a stored window: a hook
    assign reads them from merge_inputs and hands them on in assigned. As a list, each with its alias.
#}
{% macro _merge_input_columns(spec, alias) %}
    {%- set columns = event_windows._names(spec.key + ['_ew_first', '_ew_last', '_ew_until'], alias) -%}
    {%- set names = [columns] -%}
    {%- for column in event_windows._carried(spec) %}{% do names.append(alias ~ '.' ~ column) %}{% endfor -%}
    {%- for part in event_windows._parts(spec) %}{% do names.append(alias ~ '.' ~ part.column) %}{% endfor -%}
    {{- return(names | join(',\n        ')) -}}
{% endmacro %}


{# What a type keeps of a window and carries along from its inputs. #}
{% macro _carried(spec) %}
    {{- return(event_windows._trait('keeps', spec) | reject('in', ['_ew_until', '_ew_replayed']) | list) -}}
{% endmacro %}
