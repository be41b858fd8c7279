"""From the settings of a model to the options of its client."""

from paicli.app.settings import ModelSettings
from paicli.llm.factory import ClientOptions


def client_options(settings: ModelSettings) -> ClientOptions:
    return ClientOptions(
        headers=settings.headers,
        extra_body=settings.extra_body,
        temperature=settings.temperature,
        is_thinking=settings.is_thinking,
        window_tokens=settings.window_tokens,
        vision=settings.vision,
        connect_timeout_s=settings.connect_timeout_s,
        read_timeout_s=settings.read_timeout_s,
        request_timeout_s=settings.request_timeout_s,
    )
