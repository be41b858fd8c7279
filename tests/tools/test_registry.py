from paicli.tools.builtin.list_dir import ListDir
from paicli.tools.builtin.web.web_search import WebSearch
from paicli.tools.registry import ToolRegistry
from paicli.tools.schemas import build_schemas


def test_a_tool_that_is_not_offered_is_there_all_the_same() -> None:
    tools = (ListDir(), WebSearch())
    schemas = build_schemas(tools)
    registry = ToolRegistry(tools, schemas=schemas, describe=lambda name: name, unoffered={"web_search"})
    assert [declaration.name for declaration in registry.declarations] == ["list_dir"]
    assert registry.names == ("list_dir", "web_search")
    assert registry.find("web_search") is tools[1]
    assert [registry.is_offered(name) for name in ("list_dir", "web_search", "nothing")] == [True, False, False]
