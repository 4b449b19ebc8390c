{#
    Whether the model would have the columns that Spark gives for the text, name by name and type by type: asked of
    Spark, for the text and for what is shown over Spark's own aggregation of the relation. A difference is a fault of
    the planner, and stops the run before anything is written. A column of a user's own aggregate has no type in Spark.
#}
{% macro _check_shown(spec, columns) %}
    {%- if not spec.columns %}{{- return('') -}}{% endif -%}
    {%- set shown = event_windows._columns_as_shown(spec) -%}
    {%- set problems = [] -%}
    {%- for column in columns -%}
        {%- set name, type = shown[loop.index0] -%}
        {%- if name != column.name or (column.type and type != column.type) -%}
            {%- do problems.append("column '" ~ column.name ~ "' is of type " ~ column.type ~ ' in the text, and '
                ~ ("would be of type " ~ type if name == column.name else "would be called '" ~ name ~ "'")
                ~ ' in the model: write it in another way, such as with a cast') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if problems %}{{ event_windows._raise("the SQL of model '" ~ model.name ~ "'", problems) }}{% endif -%}
{% endmacro %}


{# The columns that the model shows, as Spark has them: [[name, type]]. Asked once. #}
{% macro _columns_as_shown(spec) %}
    {%- if spec.as_shown is not defined -%}
        {%- set shown = event_windows._shown(spec, event_windows._aggregated_by_spark(spec)) -%}
        {%- do spec.update({'as_shown': event_windows._described(shown)}) -%}
    {%- endif -%}
    {{- return(spec.as_shown) -}}
{% endmacro %}


{# A query with the columns of the windows table, of the types that Spark gives them. #}
{% macro _aggregated_by_spark(spec) %}
    {%- set time = 'max(' ~ event_windows._name(spec.event_time) ~ ')' -%}
    {%- set columns = [] -%}
    {%- for column in spec.key %}{% do columns.append(event_windows._name(column)) %}{% endfor -%}
    {%- do columns.extend([time ~ ' as window_start', time ~ ' as window_end', '0L as _ew_until']) -%}
    {%- for aggregate in spec.aggregates -%}
        {%- do columns.append(event_windows._around(aggregate, 'value') ~ ' as '
            ~ event_windows._name(aggregate.name)) -%}
    {%- endfor -%}
    {{- return('(select ' ~ columns | join(', ') ~ ' from ' ~ spec.relation ~ ' group by '
        ~ event_windows._names(spec.key) ~ ')') -}}
{% endmacro %}
