{#
    What a clock belongs to: the columns of its scope. Where rows come in partitions, each with numbers of its own,
    nothing says in which order rows of two partitions came. So a clock of keys is one for each key and partition; a key
    whose rows come through one partition, as Kafka has it, has one.
#}
{% macro _clock_scope(spec) %}
    {{- return({
        'key': spec.key + event_windows._partition_beside_key(spec), 'partition': [spec.partition], 'global': []
    }[spec.clock]) -}}
{% endmacro %}


{# The partition where it is no key column, as a list. #}
{% macro _partition_beside_key(spec) %}
    {{- return([] if not spec.partition or event_windows._is_among(spec.partition, spec.key) else [spec.partition]) -}}
{% endmacro %}


{# Columns by which rows arrived in their order; the partition settles ties between partitions. #}
{% macro _arrival_order(spec) %}
    {{- return([spec.arrival, spec.partition] | reject('none') | list) -}}
{% endmacro %}


{# The scope that m__stream_time shows: per key, per partition, or all. #}
{% macro _shown_scope(spec) %}
    {{- return(event_windows._known_key(spec.key) if spec.clock == 'key' else event_windows._clock_scope(spec)) -}}
{% endmacro %}


{# Columns of a key that users know: plain SQL without one has a column that stands for it. #}
{% macro _known_key(columns) %}
    {{- return(columns | reject('equalto', '_ew_all') | list) -}}
{% endmacro %}


{# What slices are kept apart by: the key, and the partition where clocks need it. #}
{% macro _slice_scope(spec) %}
    {%- set scope = spec.key | list -%}
    {%- for column in event_windows._clock_scope(spec) if not event_windows._is_among(column, scope) -%}
        {%- do scope.append(column) -%}
    {%- endfor -%}
    {{- return(scope) -}}
{% endmacro %}
