{#
    The interface of window types. A type is a constructor, a public macro that returns {'type', 'family', 'grace', ...}
    by way of `_window`, and hooks: macros `_<type>_<hook>` or, where several types share them, `_<family>_<hook>`. The
    steps call hooks and read traits, and never ask which type it is. docs/adding-a-window.md goes through an example.

    In a step a window is [_ew_first, _ew_last], microseconds, both inclusive, and takes rows until _ew_until: the last
    instant at which a row can still join it. One rule for all types says when a window is closed: _ew_until < stream
    time - grace.

    What no type may break: a row's windows, and whether it counts in them, depend on the rows that arrived before it
    and on nothing else, so that cuts do not show; two rows of a slice always fall into the same windows; a stored
    window holds all that is needed to go on from it.

    hook                                   gives
    traits(spec)                           what is particular to the type, see below
    slice(spec)                            SQL over _ew_time: the slice of a row; rows with the same one are added up at
                                           once
    row_until(spec)                        SQL over a row and _ew_time: until when others join it
    stored_until(spec, alias)              the same of a stored window
    stored_newest(spec, alias)             the latest event time in a stored window; none where it does not say
    touches(spec, first, last, until)      SQL: a stored window given by these is needed where rows lie in
                                           touched._ew_first .. touched._ew_until
    reach_back(spec)                       a touched window ends at most so long before the rows; none where nothing
                                           bounds it
    late_margin(spec)                      a row less far behind its clock than this is never late; 'always' where
                                           nothing can be said
    assign(spec, stored)                   CTEs from merge_inputs to assigned: each with the window it belongs to,
                                           _ew_window .. _ew_window_last
    replay(spec, stored)                   a SELECT (_ew_key, _ew_item, _ew_window, _ew_window_last, _ew_missed) over
                                           late_candidates: each window that a row counts in, or one line without a
                                           window; _ew_missed: it missed a closed one. Of a row that counts wherever
                                           assign puts it one line, with _ew_window alone, if `regroups`. With `stored`,
                                           also over late_windows, stored windows as items below zero
    bounds(spec)                           {column: SQL} over all inputs of a window: _ew_first, _ew_last, _ew_until,
                                           and what the type keeps
    windows_of(spec, time)                 SQL: array of (starts, ends), the windows that hold an instant, ends
                                           exclusive; none where that depends on other rows
    least_grace(spec, time, clock)         SQL: the least grace with which a row counts in each of its windows, whatever
                                           other rows there are

    trait              meaning
    length             the longest that a window, with the time in which rows join it, can be; none if unbounded.
                       Retention is grace + length at least
    lengths            [least, most] of window_end - window_start; a most of none: unbounded
    exclusive_end      window_end is the first instant after the window
    replays_stored     what a row counts in depends on stored windows, so they take part in a replay; where rows may be
                       late a window has rows of one partition, see _one_partition
    regroups           rows that count and stored windows are put together by assign whatever order the rows came in, so
                       that a replay need only say which rows are late
    places             a row may count in some of its windows, or in others than assign would put it into, so that a
                       replay says in which; where it regroups, too, only of such rows
    absorbs            a window takes the place of stored ones that it joins
    doubt_lasts        windows that a replay made keep a key checked while they are in reach
    keeps              bookkeeping columns that a stored window needs beside its bounds
    functions          registered Python functions that a replay or assign may call, by the setting `replay` of the spec
    made_by_function   assign always calls one
    merged_in_assign   assign gives whole windows, one line each
    rows_counted_once  each row that is not late counts in as many windows as windows_of says (or one): counts can be
                       checked
    publishes          whether emit='final' can tell when a window is final; a sentence that says why not otherwise
#}
{% macro _hooks() %}
    {{- return([
        'traits', 'slice', 'row_until', 'stored_until', 'stored_newest', 'touches', 'reach_back',
        'late_margin', 'assign', 'replay',
        'bounds', 'windows_of', 'least_grace'
    ]) -}}
{% endmacro %}


{% macro _traits() %}
    {{- return([
        'length', 'lengths', 'exclusive_end', 'replays_stored', 'regroups', 'places', 'absorbs', 'doubt_lasts',
        'keeps', 'functions', 'made_by_function', 'merged_in_assign', 'rows_counted_once', 'publishes'
    ]) -}}
{% endmacro %}


{#
    What a constructor returns, or one message about what was given; while dbt parses, a type
    that lacks a hook is told so by name.
#}
{% macro _window(type, family, options, problems) %}
    {%- if problems %}{{ event_windows._raise(type ~ '(...)', problems) }}{% endif -%}
    {%- for hook in event_windows._hooks() -%}
        {%- do event_windows._hook_of(type, family, hook) -%}
    {%- endfor -%}
    {{- return(dict({'type': type, 'family': family}, **options)) -}}
{% endmacro %}


{# The macro behind a hook: the type's own, else its family's. #}
{% macro _hook_of(type, family, hook) %}
    {%- set macros = context['event_windows'] -%}
    {%- for owner in [type, family] if macros['_' ~ owner ~ '_' ~ hook] is defined -%}
        {{- return(macros['_' ~ owner ~ '_' ~ hook]) -}}
    {%- endfor -%}
    {{ exceptions.raise_compiler_error(
        "event_windows: window type '" ~ type ~ "' lacks the hook '" ~ hook ~ "': write a macro _" ~ type ~ '_' ~ hook
            ~ ' (or _' ~ family ~ '_' ~ hook ~ '), see macros/windows/_window_type.sql'
    ) }}
{% endmacro %}


{# Calls a hook of the window of a spec. #}
{% macro _of_window(hook, spec) %}
    {{- return(event_windows._hook_of(spec.window.type, spec.window.family, hook)(spec, *varargs, **kwargs)) -}}
{% endmacro %}


{# What a type says of itself; one that is not said is told by name. #}
{% macro _trait(name, spec) %}
    {%- set traits = event_windows._of_window('traits', spec) -%}
    {%- for missing in event_windows._traits() | reject('in', traits.keys() | list) -%}
        {{ exceptions.raise_compiler_error("event_windows: window type '" ~ spec.window.type ~ "' does not say '"
            ~ missing ~ "' among its traits, see macros/windows/_window_type.sql") }}
    {%- endfor -%}
    {{- return(traits[name]) -}}
{% endmacro %}


{#
    The one rule of closing: SQL over until when a window takes rows and a clock, both in
    microseconds. Null where one of them is.
#}
{% macro _closed(spec, until, clock) %}
    {{- return('(' ~ until ~ ' < ' ~ clock ~ ' - ' ~ spec.window.grace ~ ')') -}}
{% endmacro %}


{# The last instant of a stored window. #}
{% macro _stored_last(spec, alias) %}
    {{- return(event_windows._time_micros(alias ~ '.window_end', spec)
        ~ (' - 1' if event_windows._trait('exclusive_end', spec) else '')) -}}
{% endmacro %}


{#
    Whether a stored window has left the state at a clock: end < clock - retention. Of a session that is its last row,
    also where plain SQL shows an end that is a gap later.
#}
{% macro _has_left(spec, alias, clock, retention) %}
    {{- return('(' ~ event_windows._time_micros(alias ~ '.window_end', spec) ~ ' < ' ~ clock ~ ' - ' ~ retention
        ~ ')') -}}
{% endmacro %}


{# The shortest legal retention, in microseconds; none where grace is unbounded. #}
{% macro _least_retention(spec) %}
    {%- set length = event_windows._trait('length', spec) -%}
    {{- return(none if spec.window.grace is none else spec.window.grace + (length or 0)) -}}
{% endmacro %}


{#
    Whether any row could be late at all, and how far behind its clock a row must be for that: microseconds, 'always'
    where nothing can be said, or none where no row ever is (grace unbounded).
#}
{% macro _late_margin(spec) %}
    {%- if spec.window.grace is none and spec.retention is none %}{{- return(none) -}}{% endif -%}
    {{- return(event_windows._of_window('late_margin', spec)) -}}
{% endmacro %}
