{#
    Late keys by their classes, as one text: the query of a run that has to ask for them. Named by text they are no part
    of the statements to come: Spark puts a CTE, and the text of a view, in each place that names it, and would analyse
    the query of late keys dozens of times.
#}
{% macro _classes_of_late_keys(spec, slices, stored) %}
with
clocks_before as (
    {{ event_windows._clocks_before(spec, stored.clocks, near=slices) | trim }}
),

{{ event_windows._late_keys_of(spec, slices, before=true, stored=stored) | trim }}

select {{ event_windows._classes_as_list(event_windows._key_class(spec)) }} as classes from late_keys
{% endmacro %}


{# CTEs up to late_keys, with those of rows that no window can count, over the slices that a run keeps. #}
{% macro _late_keys_of(spec, slices, before=false, stored=none) %}
{%- set present = [] -%}
{%- for column in spec.key %}{% do present.append(event_windows._name(column) ~ ' is not null') %}{% endfor -%}
{%- if event_windows._late_margin(spec) is not none %}
{{ event_windows._late_keys(
    spec, slices, before=before, stored=stored, name='keys_of_late_rows'
) | trim }},
{% endif %}
late_keys as (
    {%- if event_windows._late_margin(spec) is not none %}
    select {{ event_windows._names(spec.key) }} from keys_of_late_rows
    union
    {%- endif %}
    select {{ event_windows._names(spec.key) }} from {{ slices }}
    where _ew_first is null{{ ' and ' ~ present | join(' and ') if not spec.null_keys }}
)
{% endmacro %}


{# Classes of keys, an aggregate over them: a text that is null where they are too many to be named. #}
{% macro _classes_as_list(class, most=10000) %}
    {{- return('if(size(collect_set(' ~ class ~ ')) <= ' ~ most ~ ", concat('classes ', array_join(collect_set(" ~ class
        ~ "), ', ')), null)") -}}
{% endmacro %}


{# The same as it was read: none if there are too many. #}
{% macro _listed_classes(value) %}
    {{- return((value | string)[8:] if value is not none else none) -}}
{% endmacro %}
