"""What the service counts, in the text that Prometheus reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

_BOUNDS = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0)  # seconds
_MOST = 100  # classes and columns that have a line of their own


class Metrics:
    """Counts of requests, rows, answers and unseen categories, and how long the model took.

    >>> metrics = Metrics()
    >>> metrics.request("/predict", 200)
    >>> metrics.answered(["yes", "no", "yes"], 0.00015, [["colour"]])
    >>> lines = metrics.text().splitlines()
    >>> [line for line in lines if not line.startswith("#")][:2]
    ['treewright_requests_total{path="/predict",status="200"} 1', 'treewright_rows_total 3']
    """

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.rows = 0
        self.predictions: Counter[str] = Counter()
        self.unseen: Counter[str] = Counter()
        self.seconds = 0.0
        self.times = [0] * (len(_BOUNDS) + 1)

    def request(self, path: str, status: int) -> None:
        """Count a request that was answered."""
        self.requests[path, status] += 1

    def answered(
        self, predictions: Iterable[object], seconds: float, unseen: Iterable[Iterable[str]]
    ) -> None:
        """Count rows that the model answered, and the time it took."""
        for said in predictions:
            self.rows += 1
            if isinstance(said, str) and (said in self.predictions or len(self.predictions) < _MOST):
                self.predictions[said] += 1
        for columns in unseen:
            for name in columns:
                if name in self.unseen or len(self.unseen) < _MOST:
                    self.unseen[name] += 1
        self.seconds += seconds
        self.times[next((i for i, bound in enumerate(_BOUNDS) if seconds <= bound), len(_BOUNDS))] += 1

    def text(self) -> str:
        """Return all counts, each with what it means."""
        lines = _head("requests_total", "counter", "Requests answered, by path and status.")
        lines += [
            f"treewright_requests_total{_labels(path=path, status=str(status))} {n}"
            for (path, status), n in sorted(self.requests.items())
        ]
        lines += [*_head("rows_total", "counter", "Rows answered."), f"treewright_rows_total {self.rows}"]
        lines += _head("predictions_total", "counter", "Rows answered, by class.")
        lines += _counted("predictions_total", "class", self.predictions)
        lines += _head("unseen_total", "counter", "Cells of categories that training never met, by column.")
        lines += _counted("unseen_total", "column", self.unseen)
        lines += _head("model_seconds", "histogram", "Time of the model in one request.")
        running = 0
        for bound, n in zip((*map(str, _BOUNDS), "+Inf"), self.times, strict=True):
            running += n
            lines.append(f"treewright_model_seconds_bucket{_labels(le=bound)} {running}")
        lines += [f"treewright_model_seconds_sum {self.seconds}", f"treewright_model_seconds_count {running}"]
        return "\n".join([*lines, ""])


def _head(name: str, kind: str, sentence: str) -> list[str]:
    return [f"# HELP treewright_{name} {sentence}", f"# TYPE treewright_{name} {kind}"]


def _counted(name: str, label: str, counts: Counter[str]) -> list[str]:
    return [f"treewright_{name}{_labels(**{label: word})} {n}" for word, n in sorted(counts.items())]


def _labels(**labels: str) -> str:
    r"""Return labels as the format quotes them.

    >>> _labels(le='a"b')
    '{le="a\\"b"}'
    """
    pairs = [f'{name}="{_escaped(text)}"' for name, text in labels.items()]
    return f"{{{','.join(pairs)}}}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
