"""The graph of a plan's tasks: the only place that talks to networkx. Nothing in here recurses."""

# networkx ships neither types nor stubs; what comes out of it is annotated here, once.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from collections.abc import Mapping, Sequence
from typing import Any


class TaskGraph:
    """Edges lead from a task to its dependencies, in declared order; tasks stand in insertion order."""

    def __init__(self, dependencies: Mapping[str, Sequence[str]]) -> None:
        """Every dependency must itself be a key."""
        import networkx  # 170 ms at start-up: loaded when the first plan is parsed

        self._networkx: Any = networkx
        self._dependencies = dependencies
        self._graph: Any = networkx.DiGraph()
        self._graph.add_nodes_from(dependencies)
        self._graph.add_edges_from((task, needed) for task, all_needed in dependencies.items() for needed in all_needed)

    def order(self) -> tuple[str, ...]:
        """Depth-first post-order: each task after what it depends on."""
        nodes: list[str] = list(self._networkx.dfs_postorder_nodes(self._graph))
        return tuple(nodes)

    def cycle(self) -> tuple[str, ...]:
        """A cycle as a closed path (`a b a`), the one nearest to the top; empty when there is none."""
        rank = {task: position for position, task in enumerate(self._dependencies)}
        knots: list[set[str]] = [
            component
            for component in self._networkx.strongly_connected_components(self._graph)
            if len(component) > 1 or any(task in self._dependencies[task] for task in component)
        ]
        if not knots:
            return ()
        # Within one knot the search meets a cycle at once; over the whole graph it can be quadratic.
        knot = min(knots, key=lambda component: min(rank[task] for task in component))
        start = min(knot, key=lambda task: rank[task])
        edges: list[tuple[str, str]] = self._networkx.find_cycle(self._graph.subgraph(knot), start)
        return (*(source for source, _ in edges), edges[0][0])

    def downstream(self, task: str) -> frozenset[str]:
        """All direct and indirect dependents."""
        found: set[str] = self._networkx.ancestors(self._graph, task)
        return frozenset(found)

    def upstream(self, task: str) -> frozenset[str]:
        """All direct and indirect dependencies."""
        found: set[str] = self._networkx.descendants(self._graph, task)
        return frozenset(found)
