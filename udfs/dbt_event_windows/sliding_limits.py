"""What the sliding functions ask of durations and times."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

# 18,000 years in microseconds: sums of a few times and durations stay within int64.
LONGEST = 1 << 59


def sliding_faults(
    times: npt.NDArray[np.int64],
    event_times: npt.NDArray[np.int64],
    difference: int,
    resolution: int,
    origin: int | None,
) -> list[str]:
    """What is wrong, in words; nothing if sliding windows are defined for the input.

    `resolution` is the smallest step of time, in Kafka one millisecond. If event times or
    `difference` are not whole multiples of it, a window can start between two events that it
    should not part, and which rows it then gets depends on their order.
    """
    if difference <= 0 or resolution <= 0:
        return [f"difference and resolution must be positive, got {difference} and {resolution}"]
    faults = []
    if difference % resolution:
        faults.append(
            f"difference must be a multiple of resolution, got {difference} and {resolution}"
        )
    off = event_times[event_times % resolution != 0]
    if len(off):
        faults.append(f"event times must be multiples of resolution {resolution}, got {off[0]}")
    if origin is not None and np.any(event_times < origin):
        faults.append(
            f"event times must not be before the origin {origin}, got {event_times.min()}"
        )
    if difference + resolution > LONGEST or np.any(times > LONGEST) or np.any(times < -LONGEST):
        faults.append(f"times and durations must not exceed {LONGEST} microseconds")
    return faults
