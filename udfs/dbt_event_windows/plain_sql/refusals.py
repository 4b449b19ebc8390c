"""The words in which a piece is refused: why it cannot be kept up to date, and what to write.

Each is (problem, mend), about the text, for an analyst who does not know how windows are kept.
"""

from __future__ import annotations

from dbt_event_windows.plain_sql.functions import Kind

Words = tuple[str, str]

READS_ON = "put it into a model that reads this one"
BEFORE = "put it into the model that is read here"

FUNCTIONS: dict[Kind, Words] = {
    Kind.AGGREGATE: (
        "{name} takes many rows here, below the windows, where each row must be read by itself",
        f"{BEFORE}, or aggregate in the SELECT that groups by the window",
    ),
    Kind.OVER: (
        "{name} looks at other rows, so that a new row would change rows that are stored",
        f"leave it out here and {READS_ON}",
    ),
    Kind.GENERATOR: (
        "{name} makes rows of one row, which is not possible after the aggregation",
        f"use LATERAL VIEW below the windows, or {READS_ON}",
    ),
    Kind.RANDOM: (
        "{name} gives another value each time, so that a refresh would not give what a full "
        "refresh gives",
        f"leave it out; if the value must be there, {BEFORE} so that it is stored once",
    ),
    Kind.CLOCK: (
        "{name} depends on when the refresh runs, so that a refresh would not give what a full "
        "refresh gives",
        f"use a column that says when the row arrived, or {READS_ON}",
    ),
    Kind.SESSION: (
        "{name} depends on who runs the refresh and where",
        "write the value itself",
    ),
    Kind.OUTSIDE: (
        "{name} runs what is outside of SQL or stops the query, and nobody can tell that it gives "
        "the same each time",
        BEFORE,
    ),
    Kind.GROUPING: (
        "{name} belongs to grouping sets, and a row here has one key and one window",
        "write one model for each grouping",
    ),
    Kind.TIME_WINDOW: (
        "{name} may stand only in the GROUP BY of the last SELECT",
        "group by one time window there",
    ),
    Kind.UNKNOWN: (
        "{name} is not a function of Spark's own, and nobody can tell that it gives the same each "
        "time",
        BEFORE,
    ),
}


def function(kind: Kind, name: str) -> Words:
    problem, mend = FUNCTIONS[kind]
    return problem.format(name=name), mend


NOT_UNDERSTOOD: Words = (
    "this is not understood here",
    f"write it in another way, or {BEFORE}",
)
OVER: Words = (
    "a window function (OVER) looks at other rows, so that a new row would change rows that are "
    "stored",
    f"leave it out here and {READS_ON}",
)
OVER_BELOW: Words = (
    "a window function (OVER) looks at other rows, so that a new row would change rows that were "
    "read before",
    f"{BEFORE}; what makes sessions is session_window(time, gap) in the GROUP BY",
)
SUBQUERY: Words = (
    "a subquery in an expression reads rows again that an earlier refresh has read",
    "join the table instead, or " + BEFORE,
)
ANY_ORDER: Words = (
    "its value is by the order in which rows are read, which can be another one each time",
    "use min, max, min_by or max_by, sort a list where it is made, as in "
    "sort_array(collect_list(x)), or put it into a table that is joined",
)
STAR: Words = (
    "a star does not say which columns there are",
    "name the columns",
)
PARAMETER: Words = (
    "this is a parameter, a template or a variable, whose value the text does not say",
    "write the value itself",
)
PUT_IN: Words = (
    "Spark puts a setting or a variable of the environment in the place of ${...}, in a string and "
    "in a name too, and the text does not say its value",
    "write the value itself; in a string the signs themselves are $\\{",
)
SHIFT: Words = (
    "Spark does not read the operator >> behind the words array, map and struct, which a refresh "
    "writes before it",
    "write shiftright(value, by)",
)
BY_NAME: Words = (
    "an argument by its name, as in mask(x, lowerChar => 'y'), is not understood here",
    "give all arguments by their places",
)
NESTED: Words = (
    "an aggregate stands inside an aggregate",
    f"aggregate once here, and {READS_ON} for the second",
)
WINDOW_IN_AGGREGATE: Words = (
    "the time window stands inside an aggregate, where rows are not in their windows yet",
    "write the bound outside of the aggregate, as in max(at) - window.start; or aggregate what is "
    f"asked of it into a list here, and {READS_ON}",
)
DAY_IN_WORDS: Words = (
    "Spark reads this text as the day or time of the run where a date or a time is expected",
    "write the date itself, with a time too; a time of day can be compared as a text, as in "
    "date_format(at, 'HH:mm') >= '09:30'; if it is only a word, write another one",
)
DAY_OF_A_TIME: Words = (
    "Spark gives a time of day the date of the run where it becomes a TIMESTAMP_NTZ",
    "give it a date, as in make_timestamp_ntz(date(at), time)",
)
METADATA: Words = (
    "_metadata says in which file a row lies, which changes when files are rewritten",
    f"leave it out; if the value must be there, {BEFORE} so that it is stored once",
)
WINDOW_TIME: Words = (
    "Spark takes window_time only in a SELECT after the one that groups by the window",
    "write window.end - interval 1 microsecond",
)
CAPTURED: Words = (
    "a variable of the lambda around this has the name of the column that it becomes",
    "give the variable another name",
)
ORDER_WITHIN_GROUP: Words = (
    "WITHIN GROUP orders by several expressions, or says where nulls go",
    "order by one expression: within group (order by x), or (order by x desc)",
)
FIELD_WITHOUT_A_NAME: Words = (
    "Spark names this field after the expression, which is another one over the windows",
    "give the field a name: named_struct('name', ...)",
)
