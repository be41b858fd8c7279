"""The providers as data: one row each, with what is different about them. Imports no HTTP library.

Default models, windows and prices (US dollars per million tokens) were gathered from public lists in November 2026 and
not checked with each provider: they are defaults that settings override. A price that is not known is None, and then no
cost is shown.
"""

from enum import StrEnum
from typing import NamedTuple

from paicli.core.errors import SettingsError
from paicli.core.messages import ModelCapabilities, Price


class ThinkingSwitch(StrEnum):
    """The field that turns thinking on and off."""

    NONE = "none"
    """No such field: the model decides."""
    TYPE = "type"
    """`thinking: {type: enabled | disabled}`"""
    FLAG = "flag"
    """`enable_thinking: true | false`"""
    TEMPLATE = "template"
    """`chat_template_kwargs: {enable_thinking: false}`, sent only to turn it off: not every template knows it."""
    REASONING = "reasoning"
    """`reasoning: {enabled: true | false}`"""


class JsonMode(StrEnum):
    """Whether `response_format: {type: json_object}` may be asked for."""

    NEVER = "never"
    ALWAYS = "always"
    WITHOUT_THINKING = "without_thinking"


class Quirks(NamedTuple):
    """What differs from the plain OpenAI-compatible protocol."""

    thinking_switch: ThinkingSwitch = ThinkingSwitch.NONE
    json_mode: JsonMode = JsonMode.NEVER
    echoes_thinking: bool = False
    """Assistant messages with tool calls must carry their `reasoning_content`, or the next request is a 400."""
    stream_usage: bool = True
    """Usage comes only when `stream_options.include_usage` asks for it."""
    max_tokens_field: str = "max_tokens"
    json_schema: bool = False
    """The server holds a reply to `response_format: {type: json_schema}` while it writes."""

    def may_ask_for_json(self, *, is_thinking: bool) -> bool:
        return self.json_mode is JsonMode.ALWAYS or (self.json_mode is JsonMode.WITHOUT_THINKING and not is_thinking)


class ModelRow(NamedTuple):
    """What is known of the models whose name begins with `prefix`."""

    prefix: str
    window_tokens: int
    max_output_tokens: int | None = None
    price: Price | None = None
    thinking: bool = True
    vision: bool = False


class ProviderProfile(NamedTuple):
    """One row of the table."""

    name: str
    base_url: str
    """Up to and including the version; empty where the user must name it."""
    key_variables: tuple[str, ...]
    """Environment variables looked at in this order; empty for servers that want no key."""
    default_model: str
    """Empty where the user must name it."""
    window_tokens: int
    """Of a model that no row knows."""
    models: tuple[ModelRow, ...] = ()
    quirks: Quirks = Quirks()

    @property
    def needs_key(self) -> bool:
        return bool(self.key_variables)


_PROFILES = (
    ProviderProfile(
        "glm",
        "https://open.bigmodel.cn/api/paas/v4",
        ("GLM_API_KEY", "ZHIPUAI_API_KEY"),
        "glm-5.2",
        128_000,
        (
            ModelRow("glm-5.2", 1_000_000, 131_072, Price(1.40, 0.26, 4.40)),
            ModelRow("glm-5", 200_000, 131_072, Price(1.00, 0.20, 3.20)),
            ModelRow("glm-4.7", 200_000, 131_072, Price(0.60, 0.11, 2.20)),
            ModelRow("glm-4.6", 200_000, 131_072, Price(0.60, 0.11, 2.20)),
            ModelRow("glm-4.5", 128_000, 98_304, Price(0.60, 0.11, 2.20)),
        ),
        Quirks(ThinkingSwitch.TYPE, JsonMode.ALWAYS),
    ),
    ProviderProfile(
        "deepseek",
        "https://api.deepseek.com/v1",
        ("DEEPSEEK_API_KEY",),
        "deepseek-v4-flash",
        128_000,
        (
            ModelRow("deepseek-v4-flash", 1_000_000, 384_000, Price(0.14, 0.014, 0.28)),
            ModelRow("deepseek-v4-pro", 1_000_000, 384_000),
            ModelRow("deepseek-flash", 1_000_000, 262_144),
        ),
        Quirks(ThinkingSwitch.TYPE, JsonMode.ALWAYS, echoes_thinking=True),
    ),
    ProviderProfile(
        "kimi",
        "https://api.moonshot.cn/v1",
        ("KIMI_API_KEY", "MOONSHOT_API_KEY"),
        "kimi-k2.6",
        128_000,
        (
            ModelRow("kimi-k2.", 262_144, None, vision=True),
            # K2 before 2.5 (0711, 0905, turbo, thinking) reads text alone.
            ModelRow("kimi-k2", 262_144, None),
            ModelRow("kimi-k2-0711", 131_072, None),
        ),
        Quirks(ThinkingSwitch.TYPE, JsonMode.ALWAYS, echoes_thinking=True),
    ),
    ProviderProfile(
        "step",
        "https://api.stepfun.com/v1",
        ("STEP_API_KEY", "STEPFUN_API_KEY"),
        "step-3.5-flash",
        64_000,
        (ModelRow("step-3.5-flash", 262_144, None, Price(0.10, 0.02, 0.30)),),
    ),
    ProviderProfile(
        "qwen",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        ("DASHSCOPE_API_KEY", "QWEN_API_KEY"),
        "qwen-plus",
        128_000,
        (ModelRow("qwen-plus", 1_000_000, 32_768), ModelRow("qwen3-coder", 262_144, 65_536, thinking=False)),
        Quirks(ThinkingSwitch.FLAG, JsonMode.WITHOUT_THINKING),
    ),
    ProviderProfile(
        "doubao",
        "https://ark.cn-beijing.volces.com/api/v3",
        ("ARK_API_KEY", "DOUBAO_API_KEY"),
        "doubao-seed-1-6-251015",
        128_000,
        (ModelRow("doubao-seed", 256_000, 32_768, vision=True),),
        Quirks(ThinkingSwitch.TYPE),
    ),
    ProviderProfile(
        "minimax",
        "https://api.minimaxi.com/v1",
        ("MINIMAX_API_KEY",),
        "MiniMax-M2.7",
        204_800,
        (ModelRow("MiniMax-M2.7", 204_800, 131_072, Price(0.30, 0.06, 1.20)),),
        Quirks(max_tokens_field="max_completion_tokens"),
    ),
    ProviderProfile(
        "openai",
        "https://api.openai.com/v1",
        ("OPENAI_API_KEY",),
        "gpt-5.2",
        128_000,
        (
            ModelRow("gpt-5.2", 400_000, 128_000, Price(1.75, 0.175, 14.00), vision=True),
            ModelRow("gpt-5", 400_000, 128_000, Price(1.25, 0.125, 10.00), vision=True),
            ModelRow("gpt-4.1", 1_000_000, 32_768, Price(2.00, 0.50, 8.00), thinking=False, vision=True),
        ),
        Quirks(json_mode=JsonMode.ALWAYS, max_tokens_field="max_completion_tokens"),
    ),
    ProviderProfile(
        "openrouter",
        "https://openrouter.ai/api/v1",
        ("OPENROUTER_API_KEY",),
        "z-ai/glm-5.2",
        128_000,
        (ModelRow("z-ai/glm-5.2", 1_000_000, 131_072),),
        Quirks(ThinkingSwitch.REASONING, JsonMode.ALWAYS),
    ),
    ProviderProfile(
        "siliconflow",
        "https://api.siliconflow.cn/v1",
        ("SILICONFLOW_API_KEY",),
        "deepseek-ai/DeepSeek-V3.2",
        128_000,
        quirks=Quirks(json_mode=JsonMode.ALWAYS),
    ),
    ProviderProfile(
        "ollama",
        "http://127.0.0.1:11434/v1",
        (),
        "qwen3",
        32_000,
        quirks=Quirks(json_mode=JsonMode.ALWAYS, json_schema=True),
    ),
    ProviderProfile(
        "lmstudio",
        "http://127.0.0.1:1234/v1",
        (),
        "",
        32_000,
        quirks=Quirks(json_schema=True),
    ),
    ProviderProfile(
        "llamacpp",
        "http://127.0.0.1:8080/v1",
        (),
        "default",
        32_000,
        quirks=Quirks(ThinkingSwitch.TEMPLATE, JsonMode.ALWAYS, json_schema=True),
    ),
    ProviderProfile(
        "vllm",
        "http://127.0.0.1:8000/v1",
        (),
        "",
        32_000,
        quirks=Quirks(ThinkingSwitch.TEMPLATE, JsonMode.ALWAYS, json_schema=True),
    ),
    ProviderProfile("custom", "", (), "", 32_000),
)

PROVIDERS: dict[str, ProviderProfile] = {profile.name: profile for profile in _PROFILES}
"""name → row, in the order they are offered"""


def provider_named(name: str) -> ProviderProfile:
    """The row called `name`, in any case. Raises SettingsError with all names, the nearest first."""
    profile = PROVIDERS.get(name.strip().lower())
    if profile is None:
        import difflib  # start-up: 1 ms, and only a wrong name needs it

        near = difflib.get_close_matches(name.lower(), PROVIDERS, n=3)
        names = ", ".join(dict.fromkeys((*near, *PROVIDERS)))
        raise SettingsError("llm.unknown_provider", name=name, near=names)
    return profile


def model_row(profile: ProviderProfile, model: str) -> ModelRow | None:
    """What is known of `model`: the row with the longest fitting prefix."""
    fitting = [row for row in profile.models if model.lower().startswith(row.prefix.lower())]
    return max(fitting, key=lambda row: len(row.prefix), default=None)


def price_of(profile: ProviderProfile, model: str) -> Price | None:
    """None where the price is not known; servers on this machine cost nothing."""
    if profile.base_url.startswith("http://127.0.0.1"):
        return Price(0, 0, 0)
    row = model_row(profile, model)
    return row.price if row else None


def capabilities_of(
    profile: ProviderProfile,
    model: str,
    *,
    window_tokens: int | None = None,
    vision: bool | None = None,
    price: Price | None = None,
) -> ModelCapabilities:
    """What `model` can do; `window_tokens`, `vision` and `price` are the user's own word and win."""
    row = model_row(profile, model)
    return ModelCapabilities(
        window_tokens=window_tokens or (row.window_tokens if row else profile.window_tokens),
        max_output_tokens=row.max_output_tokens if row else None,
        thinking=row.thinking if row else profile.quirks.thinking_switch is not ThinkingSwitch.NONE,
        vision=vision if vision is not None else row is not None and row.vision,
        json_mode=profile.quirks.json_schema or profile.quirks.json_mode is not JsonMode.NEVER,
        caching=profile.needs_key,
        price=price or price_of(profile, model),
    )


def checked_key(key: str, source: str) -> str:
    """`key` without outer white space. Raises SettingsError naming `source`, never the value, when it can be no key."""
    stripped = key.strip()
    if not stripped:
        raise SettingsError("llm.key_empty", source=source)
    if not stripped.isascii() or not stripped.isprintable() or " " in stripped:
        raise SettingsError("llm.key_malformed", source=source)
    return stripped
