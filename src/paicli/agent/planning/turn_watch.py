"""Listens to one turn's events: its cost, and per task the files it touched and the URLs it found."""

import threading
from collections.abc import Iterable, Sequence

from paicli.core.events import Event, ModelReplyReceived, ModelRequestStarted, ToolFinished, UrlTrusted
from paicli.core.messages import CommandRun, Usage
from paicli.plan.overlaps import TouchedFiles

_TaskKey = tuple[str, str]
"""(plan id, task id)"""


class TurnWatch:
    """A listener; what it gathered may be asked for from any thread."""

    def __init__(self, turn_id: str) -> None:
        self._turn_id = turn_id
        self._lock = threading.Lock()
        self._model_calls = 0
        self._usage = Usage()
        self._cost_usd: float | None = None
        self._is_priced = True
        """Of every reply so far the cost is known."""
        self._touched: dict[_TaskKey, TouchedFiles] = {}
        self._urls: dict[_TaskKey, dict[str, None]] = {}

    def __call__(self, event: Event) -> None:
        if event.origin.turn_id != self._turn_id:
            return
        key = (event.origin.plan_id, event.origin.task_id)
        with self._lock:
            match event.body:
                case ModelRequestStarted():
                    self._model_calls += 1
                case ModelReplyReceived(response, _, cost_usd):
                    self._usage = self._usage.plus(response.usage or Usage())
                    self._is_priced = self._is_priced and cost_usd is not None
                    self._cost_usd = (self._cost_usd or 0.0) + (cost_usd or 0.0)
                case ToolFinished() as tool:
                    self._note_files(key, tool)
                case UrlTrusted(url, source="web_search"):
                    self._urls.setdefault(key, {})[url] = None
                case _:  # a turn has many other events; none of them costs or touches anything
                    pass

    @property
    def model_calls(self) -> int:
        with self._lock:
            return self._model_calls

    @property
    def usage(self) -> Usage:
        with self._lock:
            return self._usage

    @property
    def cost_usd(self) -> float | None:
        """None: nothing was asked yet, or the price of something is not known."""
        with self._lock:
            return self._cost_usd if self._is_priced else None

    def touched(self, plan_id: str, task_ids: Sequence[str]) -> dict[str, TouchedFiles]:
        """By task id, in the order asked for."""
        with self._lock:
            return {task_id: self._touched.get((plan_id, task_id), TouchedFiles()) for task_id in task_ids}

    def inherit_urls(self, plan_id: str, urls: Iterable[tuple[str, tuple[str, ...]]]) -> None:
        """(task, what it found by web_search) of completed tasks: a plan that goes on is still the same branch."""
        with self._lock:
            for task_id, found in urls:
                self._urls[plan_id, task_id] = dict.fromkeys(found)

    def urls(self, plan_id: str, task_ids: Sequence[str]) -> tuple[str, ...]:
        """What these tasks found by web_search, each once, in their order."""
        with self._lock:
            return tuple(dict.fromkeys(url for task_id in task_ids for url in self._urls.get((plan_id, task_id), ())))

    def _note_files(self, key: _TaskKey, tool: ToolFinished) -> None:
        so_far = self._touched.get(key, TouchedFiles())
        self._touched[key] = TouchedFiles(
            so_far.read.union(tool.files_read),
            so_far.written.union(tool.files_written),
            so_far.ran_command or isinstance(tool.detail, CommandRun),
        )
