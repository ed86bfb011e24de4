"""A page that takes its time."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.hst.faults.base import Reading, RowsFault


@dataclass(frozen=True)
class SlowPage(RowsFault):
    """The database answers after ``seconds``; anything but a read stays fast.

    Seen with large offsets, unindexed filters and a `search` over long texts.

    YAML: ``- hst: 2nd read gets a slow page seconds=20``
    """

    kind = "slow_page"
    phrases = ("gets a slow page",)
    seconds: float = 5.0

    def __post_init__(self) -> None:
        if self.seconds <= 0:
            raise ValueError(f"seconds {self.seconds:g} is no wait; give more than 0")

    async def before(self, reading: Reading) -> None:
        """Wait on the world's clock."""
        await reading.clock.sleep(self.seconds)
