"""The converted model as text: notes, config, and the SELECT in plain SQL."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping

from sqlglot import exp

from dbt_event_windows.convert.ctes import needed
from dbt_event_windows.convert.groups import Grouped
from dbt_event_windows.convert.layers import Layer
from dbt_event_windows.plain_sql.naming import word_set

FILL_IN = "FILL IN"
_KEPT = word_set(
    """
    access alias contract database description docs enabled group meta post_hook pre_hook schema
    tags
    """
)
_HINTS = (
    "grace: how late a row may come and still be counted, such as '1 day', or 'unbounded'",
    "arrival_order: the column that says in which order rows came in, such as a log offset",
)


def windowed_select(
    layers: list[Layer],
    grouped: Grouped,
    items: list[exp.Expression],
    conditions: list[exp.Expression],
    window: exp.Expression,
) -> exp.Select:
    """The SELECT, over what the lowest of the SELECTs reads."""
    base = layers[grouped.last].select
    select = exp.Select(expressions=items)
    for name in ("from_", "from", "joins", "laterals", "where", "hint"):
        if base.args.get(name):
            value = base.args[name]
            select.set(
                name, [one.copy() for one in value] if isinstance(value, list) else value.copy()
            )
    if grouped.filters:
        filters = [select.args["where"].this] if select.args.get("where") else []
        select.set("where", exp.Where(this=exp.and_(*filters, *grouped.filters)))
    if ctes := needed(layers[0].select, select, layers[grouped.last].ctes):
        with_ = exp.With(expressions=[cte.copy() for cte in ctes])
        select.set("with_" if "with_" in exp.Select.arg_types else "with", with_)
    groups = [key.copy() for key in grouped.keys]
    select.set("group", exp.Group(expressions=[*groups, window]))
    if conditions:
        select.set("having", exp.Having(this=exp.and_(*conditions, copy=False)))
    return select


def model_text(sql: str, settings: Mapping[str, str], notes: Iterable[str]) -> str:
    """A dbt model: what to fill in and what to know, the config, the SQL.

    Args:
        settings: values of the config as Jinja writes them, with quotes.
    """
    filled = [hint for hint in _HINTS if FILL_IN in settings.get(hint.partition(":")[0], "")]
    lines = ["Fill in:", *_listed(filled)] if filled else []
    found = list(dict.fromkeys(notes))
    lines += ["To know:", *_listed(found)] if found else []
    comment = "\n".join(lines).replace("#}", "# }")
    config = ",\n".join(f"    {name}={value}" for name, value in settings.items())
    head = f"{{#\n{comment}\n#}}\n" if lines else ""
    return f"{head}{{{{ config(\n{config}\n) }}}}\n\n{sql.strip()}\n"


def _listed(notes: Iterable[str]) -> list[str]:
    return [
        line
        for note in notes
        for line in textwrap.wrap(
            note, 100, initial_indent="- ", subsequent_indent="  ", break_long_words=False
        )
    ]


def kept_settings(config: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """What of the model's own config stays, and the names of what is left out."""
    kept = {name: value for name, value in config.items() if name in _KEPT}
    file_format = config.get("file_format", "")
    if file_format.strip("'\"") in ("delta", "iceberg"):
        kept["file_format"] = file_format
    return kept, [name for name in config if name not in kept and name != "materialized"]
