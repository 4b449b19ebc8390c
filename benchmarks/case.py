"""What a case is, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.workbench import Workbench


class NotRunError(Exception):
    """A case that this run leaves out, and why."""


@dataclass(frozen=True)
class Measured:
    """Median seconds of ours and of the peer over `rows` source rows.

    `equal` is true where the answers were compared, none where they are not the same question;
    `details` are other figures of the case.
    """

    rows: int
    ours_s: float
    peer_s: float | None = None
    equal: bool | None = None
    details: Mapping[str, float] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        return None if self.peer_s is None else self.peer_s / self.ours_s


@dataclass(frozen=True)
class Aim:
    """The least ratio (none: to get to the end), and in words; least values of `details` too."""

    ratio: float | None
    text: str
    details: Mapping[str, float] = field(default_factory=dict)


def at_least(ratio: float) -> Aim:
    """The peer takes at least so many times as long as ours."""
    return Aim(ratio, f"ratio >= {ratio:g}")


def at_most_times(factor: float) -> Aim:
    """Ours takes at most so many times as long as the peer."""
    return Aim(round(1 / factor, 3), f"at most {factor:g} times the time")


@dataclass(frozen=True)
class Case:
    """One line of the table; a peer or an aim of none: there is none."""

    name: str
    what: str
    peer: str | None
    measure: Callable[[Workbench], Measured]
    aim: Aim | None = None

    def met(self, measured: Measured) -> bool | None:
        """Whether the aim was reached; none where there is none."""
        if self.aim is None:
            return None
        wanted = [(measured.ratio, self.aim.ratio)]
        wanted += [(measured.details[name], least) for name, least in self.aim.details.items()]
        return all(
            least is None or (figure is not None and figure >= least) for figure, least in wanted
        )
