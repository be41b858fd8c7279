import json

from paicli.app.write_schemas import schemas_text
from paicli.context.prompt_library import PromptLibrary
from paicli.tools.schemas import STORED, load_schemas


def test_the_stored_schemas_are_those_of_the_models() -> None:
    assert STORED.read_text(encoding="utf-8") == schemas_text(), "run: make schemas"


def test_every_schema_is_a_plain_object_and_every_tool_is_described() -> None:
    library = PromptLibrary()
    for name, schema in load_schemas().items():
        assert schema["type"] == "object"
        assert set(schema.get("required", [])) <= set(schema["properties"])
        assert not {'"$ref"', '"title"', '"anyOf"'} & set(json.dumps(schema).split())
        assert library.describe_tool(name)


def test_a_property_named_like_a_left_out_key_stays() -> None:
    assert "pattern" in load_schemas()["glob_files"]["properties"]
