# The flow of the first start, with a person who answers from a list and real servers on loopback.
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from paicli.app.config.config_file import read_config
from paicli.app.setup.draft import Surroundings
from paicli.app.setup.first_start import FirstStart, Outcome
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Language, Texts
from paicli.llm.probe import LocalPort
from paicli.ui.rendering.styled import Style
from paicli.ui.setup.choices import chosen_number, read_name
from tests.fakes.openai_server import (
    OpenAiServer,
    Reply,
    close_before_headers,
    delta_event,
    hang_before_headers,
    hang_mid_stream,
    json_reply,
    say,
    status,
)
from tests.patience import PATIENCE_S

KEY, WRONG = "sk-canary-right-123456", "sk-canary-wrong-123456"
BACK = None
Answer = TypeVar("Answer")


class Scripted:
    """A person who answers in this order: a name or number of a list, a text, a key; None: back; an error: leaves."""

    def __init__(self, *answers: "str | type[BaseException] | None", cancels: int = 0) -> None:
        self.answers = list(answers)
        self.said: list[str] = []
        self.lists: list[list[str]] = []
        self._cancels = cancels

    def say(self, text: str, style: Style = Style.PLAIN) -> None:
        self.said.append(text)

    def choose(
        self, question: str, choices: Sequence[str], *, names: Sequence[str] = (), preset: int = 0
    ) -> int | None:
        self.lists.append(list(choices))
        answer = self._next()
        if answer is None:
            return None
        if not answer:
            return preset
        number = chosen_number(answer, len(choices), names=names or choices)
        assert number is not None, (answer, choices)
        return number

    def choose_name(self, question: str, names: Sequence[str], *, shown: int) -> str | None:
        self.lists.append(list(names[:shown]))
        answer = self._next()
        return answer if answer is None else read_name(answer or names[0], names[:shown], listed=names).name

    def ask(self, question: str, *, preset: str = "") -> str | None:
        answer = self._next()
        return answer if answer is None else answer or preset

    def ask_hidden(self, question: str) -> str | None:
        return self._next()

    def wait_for(self, message: str, work: Callable[[CancellationToken], Answer]) -> Answer | None:
        cancel = CancellationToken()
        if self._cancels and ("Trying" in message):
            self._cancels -= 1
            threading.Timer(0.05, cancel.cancel).start()
        return work(cancel)

    def _next(self) -> str | None:
        answer = self.answers.pop(0)
        if isinstance(answer, type):
            raise answer
        return answer


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".paicli" / "config.toml"


def start(
    path: Path,
    person: Scripted,
    *,
    ports: Sequence[LocalPort] = (),
    environ: Mapping[str, str] | None = None,
    provider: str = "",
    model_option: str = "",
) -> Outcome:
    surroundings = Surroundings(environ or {}, read_config(path), model_option)
    flow = FirstStart(person, Texts(Language.EN), surroundings, ports=ports, trial_s=1.0)
    outcome = flow.run(provider)
    assert person.answers == []
    return outcome


def kept(path: Path) -> dict[str, object]:
    return dict(read_config(path).values)


def pointed_at(server: OpenAiServer, path: Path, provider: str = "glm") -> None:
    """The provider's own endpoint is the fake one."""
    path.parent.mkdir()
    path.write_text(f'[providers.{provider}]\nbase_url = "{server.base_url}" # the proxy of our company\n')


def test_a_hosted_provider_wants_a_key_and_is_tried_before_it_is_kept(path: Path) -> None:
    with OpenAiServer([say("hello there")]) as server:
        pointed_at(server, path)
        person = Scripted("glm", f"  {KEY}\n")

        assert start(path, person) is Outcome.READY

        (request,) = server.requests
        assert request.headers["authorization"] == f"Bearer {KEY}"
        assert (request.body["stream"], request.body["model"], len(request.body["messages"])) == (True, "glm-5.2", 1)
    assert kept(path) == {
        "providers.glm.base_url": server.base_url,
        "providers.glm.api_key": KEY,
        "model.provider": "glm",
        "model.model": "glm-5.2",
    }
    assert "# the proxy of our company" in path.read_text()
    assert any(text.startswith("✓ glm-5.2 answered within") and "hello there" in text for text in person.said)
    assert KEY not in "".join(person.said)


def test_a_wrong_key_is_told_in_one_line_and_another_one_is_taken(path: Path) -> None:
    replies = [status(401, {"error": {"message": f"bad key {WRONG}"}}), say("ok")]
    with OpenAiServer(replies) as server:
        pointed_at(server, path)
        person = Scripted("glm", WRONG, "", KEY)

        assert start(path, person) is Outcome.READY

        assert [request.headers["authorization"][-6:] for request in server.requests] == [WRONG[-6:], KEY[-6:]]
    (refused,) = [text for text in person.said if "401" in text]
    assert "\n" not in refused
    assert WRONG not in "".join(person.said)
    assert kept(path)["providers.glm.api_key"] == KEY


@pytest.mark.parametrize("typed", ["   ", "two words", "键", "sk-a\nsk-b"])
def test_what_can_be_no_key_is_said_at_once_and_asked_again(path: Path, typed: str) -> None:
    with OpenAiServer([say("ok")]) as server:
        pointed_at(server, path)
        person = Scripted("glm", typed, KEY)

        assert start(path, person) is Outcome.READY

        assert len(server.requests) == 1
    assert [text for text in person.said if "The API key" in text and "your input" in text]


def test_a_model_that_is_not_there_is_replaced_by_another_name(path: Path) -> None:
    with OpenAiServer([status(404, {"error": {"message": "no such model"}}), say("ok")]) as server:
        pointed_at(server, path)

        assert start(path, Scripted("glm", KEY, "", "glm-other")) is Outcome.READY

        assert [request.body["model"] for request in server.requests] == ["glm-5.2", "glm-other"]
    assert kept(path)["model.model"] == "glm-other"


def test_an_endpoint_of_ones_own_is_asked_for_its_models(path: Path) -> None:
    with OpenAiServer([say("ok")]) as server:
        person = Scripted("custom", server.base_url, KEY, "fake-model")

        assert start(path, person) is Outcome.READY

        (listing,) = server.other_requests
        assert (listing.method, listing.path, listing.headers["authorization"]) == (
            "GET",
            "/v1/models",
            f"Bearer {KEY}",
        )
    assert kept(path) == {
        "model.provider": "custom",
        "model.model": "fake-model",
        "model.base_url": server.base_url,
        "providers.custom.api_key": KEY,
    }


def test_an_endpoint_may_want_no_key_and_a_model_may_be_typed(path: Path) -> None:
    with OpenAiServer([say("ok")]) as server:
        person = Scripted("custom", "no address", server.base_url, "", "mine")

        assert start(path, person) is Outcome.READY

        assert "authorization" not in server.requests[0].headers
    assert kept(path) == {"model.provider": "custom", "model.model": "mine", "model.base_url": server.base_url}
    assert [text for text in person.said if "no http(s) address" in text]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (status(200, "<html>welcome</html>"), "no model's reply"),
        (status(404, "<html>nothing here</html>"), "not found"),
        (close_before_headers(), "broke off"),
        (hang_before_headers(), "1 s"),
    ],
)
def test_a_wrong_address_is_told_and_another_one_is_taken(path: Path, reply: Reply, told: str) -> None:
    with OpenAiServer([reply]) as wrong, OpenAiServer([say("ok")]) as right:
        person = Scripted("custom", wrong.base_url, "", "m-1", "Another base URL", right.base_url)
        person.answers[3] = "1"  # its list of models

        assert start(path, person) is Outcome.READY
    assert [text for text in person.said if text.startswith("✗") and told in text and "\n" not in text]
    assert kept(path)["model.base_url"] == right.base_url


def test_what_could_not_be_tried_may_be_kept_untried_and_what_was_refused_may_not(path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    person = Scripted("custom", f"http://127.0.0.1:{port}/v1", KEY, "m-1", "Keep it untried")
    assert start(path, person) is Outcome.READY
    assert kept(path)["model.base_url"] == f"http://127.0.0.1:{port}/v1"

    with OpenAiServer([status(401, "")]) as server:
        refused = Scripted("custom", server.base_url, WRONG, "1", "Quit")
        assert start(path, refused) is Outcome.QUIT
    assert "Keep it untried" not in refused.lists[-1]


def test_a_model_that_only_began_to_answer_in_time_is_taken(path: Path) -> None:
    with OpenAiServer([hang_mid_stream(delta_event(content="let me see"))]) as server:
        person = Scripted("custom", server.base_url, "", "1")

        assert start(path, person) is Outcome.READY
    assert any("it works, slowly" in text for text in person.said)


def test_a_try_can_be_cancelled_and_made_again(path: Path) -> None:
    with OpenAiServer([hang_before_headers(), say("ok")]) as server:
        person = Scripted("custom", server.base_url, "", "1", "Try again", cancels=1)

        assert start(path, person) is Outcome.READY

        assert server.requests[0].client_gone.wait(PATIENCE_S)
    assert "The try was cancelled" in person.said


def test_servers_of_this_machine_stand_first_with_their_models(path: Path) -> None:
    with OpenAiServer([say("ok")]) as server:
        person = Scripted("")

        assert start(path, person, ports=[LocalPort("lmstudio", 1), LocalPort("ollama", server.port)]) is Outcome.READY

    shown = person.lists[0]
    assert shown[0] == f"ollama (on this machine, 127.0.0.1:{server.port}): fake-model"
    assert [text.split()[0] for text in shown].count("ollama") == 1
    assert kept(path) == {"model.provider": "ollama", "model.model": "fake-model", "model.base_url": server.base_url}


def test_a_server_without_models_is_told_and_not_offered(path: Path) -> None:
    def answer(connection: socket.socket) -> None:
        with connection:
            connection.recv(65_536)
            connection.sendall(
                b'HTTP/1.1 200 OK\r\nContent-Length: 27\r\nConnection: close\r\n\r\n{"object":"list","data":[]}'
            )

    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        thread = threading.Thread(target=lambda: answer(listener.accept()[0]), daemon=True)
        thread.start()
        person = Scripted("quit")

        assert start(path, person, ports=[LocalPort("ollama", port)]) is Outcome.QUIT
        thread.join(PATIENCE_S)

    assert person.said[1] == f"ollama runs at 127.0.0.1:{port}, but has no model yet"
    assert not any("on this machine" in text for text in person.lists[0])


def test_the_demo_and_leaving_write_nothing(path: Path) -> None:
    assert start(path, Scripted("demo")) is Outcome.DEMO
    assert start(path, Scripted("quit")) is Outcome.QUIT
    assert start(path, Scripted(BACK)) is Outcome.QUIT
    assert not path.parent.exists()


@pytest.mark.parametrize("leaving", [KeyboardInterrupt, EOFError])
@pytest.mark.parametrize("step", range(5))
def test_leaving_at_any_step_leaves_nothing_half_written(path: Path, leaving: type[BaseException], step: int) -> None:
    with OpenAiServer([status(401, "")]) as server:
        person = Scripted(*["custom", server.base_url, WRONG, "1"][:step], leaving)

        with pytest.raises(leaving):
            start(path, person)
    assert not path.parent.exists()


def test_back_leads_to_the_list_again(path: Path) -> None:
    person = Scripted("glm", BACK, "custom", BACK, "custom", "http://127.0.0.1:1/v1", BACK, "quit")

    assert start(path, person) is Outcome.QUIT

    assert len(person.lists) == 4


def test_a_key_in_the_environment_is_used_named_and_not_written(path: Path) -> None:  # C42
    with OpenAiServer([say("ok")]) as server:
        pointed_at(server, path, "kimi")
        person = Scripted("kimi")

        assert start(path, person, environ={"PAICLI_API_KEY": KEY}) is Outcome.READY

        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert "key from PAICLI_API_KEY" in person.said
    assert KEY not in path.read_text() + "".join(person.said)


def test_what_wins_over_the_choice_is_named(path: Path) -> None:
    person = Scripted("glm", "quit")

    assert start(path, person, environ={"PAICLI_PROVIDER": "kimi", "KIMI_API_KEY": KEY}) is Outcome.QUIT

    assert "PAICLI_PROVIDER names kimi and wins over what is chosen here: unset it first" in person.said
    assert not path.parent.exists()


def test_the_provider_whose_key_is_missing_is_what_enter_takes(path: Path) -> None:
    with OpenAiServer([say("ok")]) as server:
        pointed_at(server, path, "qwen")

        assert start(path, Scripted("", KEY), provider="qwen") is Outcome.READY
    assert kept(path)["model.provider"] == "qwen"


def test_what_an_earlier_provider_left_behind_stays_its_own(path: Path) -> None:
    with OpenAiServer([say("ok")]) as server:
        path.parent.mkdir()
        path.write_text(
            f'[model]\nprovider = "glm"\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "old"\napi_key = "{WRONG}"\n'
            f'[providers.qwen]\nbase_url = "{server.base_url}"\n'
        )

        assert start(path, Scripted("qwen", KEY), model_option="qwen/qwen-plus") is Outcome.READY

        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert kept(path) == {
        "model.provider": "qwen",
        "model.model": "qwen-plus",
        "providers.qwen.base_url": server.base_url,
        "providers.qwen.api_key": KEY,
        "providers.glm.model": "old",
        "providers.glm.base_url": "http://127.0.0.1:1/v1",
        "providers.glm.api_key": WRONG,
    }


def test_a_key_that_belongs_to_nobody_is_sent_to_nobody_and_replaced(path: Path) -> None:
    with OpenAiServer([say("ok")]) as server:
        pointed_at(server, path)
        path.write_text(f'[model]\napi_key = "{WRONG}"\n' + path.read_text())

        assert start(path, Scripted("glm", KEY)) is Outcome.READY

        assert [request.headers["authorization"] for request in server.requests] == [f"Bearer {KEY}"]
    assert WRONG not in path.read_text()


def test_a_reply_that_repeats_the_key_is_masked(path: Path) -> None:
    with OpenAiServer([say(f"your key is {KEY}\x1b]0;title\x07")]) as server:
        pointed_at(server, path)
        person = Scripted("glm", KEY)

        assert start(path, person) is Outcome.READY
    assert KEY not in "".join(person.said)


def test_json_in_place_of_a_stream_is_an_answer_too(path: Path) -> None:
    body = {"choices": [{"message": {"role": "assistant", "content": "ok"}, "finish_reason": "stop"}]}
    with OpenAiServer([json_reply(body)]) as server:
        assert start(path, Scripted("custom", server.base_url, "", "1")) is Outcome.READY


def test_a_model_that_must_think_is_asked_once_more_with_thinking(path: Path) -> None:
    with OpenAiServer([status(400, {"error": {"message": "Reasoning is mandatory"}}), say("ok")]) as server:
        pointed_at(server, path, "openrouter")

        assert start(path, Scripted("openrouter", KEY)) is Outcome.READY

        assert [request.body["reasoning"]["enabled"] for request in server.requests] == [False, True]


def test_a_refusal_that_thinking_does_not_change_is_told(path: Path) -> None:
    with OpenAiServer([status(400, {"error": {"message": "bad field"}})]) as server:
        person = Scripted("custom", server.base_url, "", "1", "Quit")

        assert start(path, person) is Outcome.QUIT

        assert len(server.requests) == 1
    assert any("bad field" in text for text in person.said)
