"""Tests over made-up examples: the same ones in every `make test`, fresh and more of them in `make explore`."""

from collections.abc import Sequence

from hypothesis import HealthCheck, settings

_TIMES_MORE_WHEN_EXPLORING = 20


def choose_repeatable_examples() -> None:
    """What holds unless `pytest --hypothesis-profile=explore` says otherwise; nothing is kept from run to run."""
    repeatable = settings(
        derandomize=True,
        deadline=None,
        database=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow],  # the machine may be slow
    )
    settings.register_profile("repeatable", repeatable)
    settings.register_profile("explore", repeatable, derandomize=False)
    settings.load_profile("repeatable")


def examples(count: int, *, allowed: Sequence[HealthCheck] = ()) -> settings:
    """A decorator: `count` examples, many times as many when exploring; `allowed`: warnings that don't apply here."""
    if settings.get_current_profile_name() == "explore":
        count *= _TIMES_MORE_WHEN_EXPLORING
    return settings(max_examples=count, suppress_health_check=[HealthCheck.too_slow, *allowed])
