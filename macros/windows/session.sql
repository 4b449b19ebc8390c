{#
    Session windows (KIP-94): rows of a key that follow each other within `gap` belong to one window, from its first
    event to its last, both inclusive; rows exactly one gap apart join. `gap_by` is a SQL interval expression instead,
    one gap per row as in Spark's session_window (SPARK-35861).
#}
{% macro session(gap=none, grace=none, gap_by=none) %}
    {{ return(adapter.dispatch('session', 'event_windows')(gap=gap, grace=grace, gap_by=gap_by, unknown=[kwargs, varargs])) }}
{% endmacro %}


{% macro default__session(gap, grace, gap_by, unknown) %}
    {%- set problems = event_windows._unknown_options('gap, grace, gap_by', unknown) -%}
    {%- if (gap is none) == (gap_by is none) -%}
        {%- do problems.append("give either gap (a duration, such as '30 minutes') or gap_by (a SQL interval expression per row), not both and not neither") -%}
    {%- endif -%}
    {%- set gap_length = event_windows._duration('gap', gap, allow_zero=true) if gap is not none else {'micros': none} -%}
    {%- set grace_length = event_windows._duration('grace', grace, allow_zero=true, allow_unbounded=true) -%}
    {%- for length in [gap_length, grace_length] if length.problem -%}
        {%- do problems.append(length.problem) -%}
    {%- endfor -%}
    {%- if problems -%}{{ event_windows._raise('session(...)', problems) }}{%- endif -%}
    {{ return({'type': 'session', 'gap': gap_length.micros, 'gap_by': gap_by, 'grace': grace_length.micros}) }}
{% endmacro %}
