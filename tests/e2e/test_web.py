# The web tools in the installed command: what is offered, what is found, what is fetched, what is refused.
import json
from pathlib import Path
from typing import Any

from tests.e2e.harness import run_paicli
from tests.fakes.openai_server import OpenAiServer, RecordedRequest, call, say
from tests.fakes.web_site import WebSite, answer

PAGE = "<html><head><title>Found page</title></head><body><p>The answer is 42. See {other}.</p></body></html>"


def configured(home: Path, site: WebSite, *, with_search: bool = True) -> None:
    folder = home / ".paicli"
    folder.mkdir(parents=True, exist_ok=True)
    search = f'base_url = "{site.url("/searx")}"\n' if with_search else ""
    (folder / "config.toml").write_text(f'[web]\n{search}allow_hosts = ["127.0.0.1:{site.port}"]\n')


def offered(request: RecordedRequest) -> set[str]:
    return {tool["function"]["name"] for tool in request.body.get("tools", [])} & {"web_search", "web_fetch"}


def results_in(request: RecordedRequest) -> list[str]:
    messages: list[dict[str, Any]] = request.body["messages"]
    return [message["content"] for message in messages if message["role"] == "tool"]


def found(site: WebSite) -> bytes:
    hits = {"results": [{"title": "Found page", "url": site.url("/found"), "content": "A page."}]}
    return answer(json.dumps(hits).encode(), "application/json")


def test_a_search_makes_its_pages_readable_and_a_page_makes_none(project: Path, home: Path) -> None:
    with WebSite() as site:
        configured(home, site)
        site.pages["/searx/search"] = found(site)
        site.pages["/found"] = answer(PAGE.format(other=site.url("/secret")).encode())
        site.pages["/secret"] = answer(b"<p>not to be read</p>")
        replies = [
            call("web_search", {"query": "the answer"}),
            call("web_fetch", {"url": site.url("/found")}),
            call("web_fetch", {"url": site.url("/secret")}),
            say("42"),
        ]
        with OpenAiServer(replies) as server:
            done = run_paicli("-p", "what is the answer?", project=project, home=home, server=server)
            requests = list(server.requests)
        paths = [path.partition("?")[0] for path in site.paths]

    assert (done.status, done.stdout) == (0, "42\n")
    assert [offered(request) for request in requests] == [{"web_search"}, *[{"web_search", "web_fetch"}] * 3]
    search, page, refused = results_in(requests[-1])
    assert site.url("/found") in search
    assert "标题: Found page" in page
    assert "The answer is 42." in page
    assert "没有访问" in refused
    assert paths == ["/searx/search", "/found"]


def test_a_url_in_the_persons_words_is_read_without_any_search(project: Path, home: Path) -> None:
    with WebSite({"/doc": answer(b"plain words", "text/plain")}) as site:
        configured(home, site, with_search=False)
        url = site.url("/doc")
        with OpenAiServer([call("web_fetch", {"url": url}), say("read")]) as server:
            run_paicli("-p", f"read {url} please", project=project, home=home, server=server)
            requests = list(server.requests)
    assert [offered(request) for request in requests] == [{"web_fetch"}, {"web_fetch"}]
    assert "plain words" in results_in(requests[-1])[0]


def test_without_a_service_no_model_is_told_of_searching_and_a_call_says_what_to_set(project: Path, home: Path) -> None:
    with OpenAiServer([call("web_search", {"query": "x"}), say("no")]) as server:
        run_paicli("-p", "search for x", project=project, home=home, server=server)
        requests = list(server.requests)
    assert [offered(request) for request in requests] == [set(), set()]
    assert "TAVILY_API_KEY" in results_in(requests[-1])[0]


def test_an_inner_address_in_the_persons_words_is_refused_all_the_same(project: Path, home: Path) -> None:
    # C77
    with WebSite({"/": answer(b"inside")}) as site:
        with OpenAiServer([call("web_fetch", {"url": site.url()}), say("no")]) as server:
            run_paicli("-p", f"read {site.url()}", project=project, home=home, server=server)
            requests = list(server.requests)
        assert site.connection_count == 0
    assert "本机地址" in results_in(requests[-1])[0]


def test_policy_tells_that_no_search_is_configured(project: Path, home: Path) -> None:
    with OpenAiServer([]) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="/policy\n/exit\n", PAICLI_LANG="en")
    (told,) = (line for line in (done.stdout + done.stderr).splitlines() if "web_search" in line)
    assert "not configured" in told
