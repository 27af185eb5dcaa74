"""How a model is spoken to: its chat template, and another where tools are spoken of and its file has one for them."""

from collections.abc import Sequence
from dataclasses import dataclass

from models.backend import Backend
from models.channels import in_channels
from models.chat import ChatTemplate
from models.reasoning import tags_of
from models.requests import ChatMessage, Overrides, Tool


@dataclass(frozen=True, slots=True)
class Manner:
    """A chat template with what follows from it: tags of thoughts, channels, and texts that end an answer."""

    template: ChatTemplate
    tags: tuple[tuple[str, str], ...]
    in_channels: bool
    stops: tuple[str, ...]


class Manners:
    """The manners of one model. What the owner set holds for all of them."""

    def __init__(self, backend: Backend, overrides: Overrides) -> None:
        self._backend = backend
        self._own = overrides
        self.plain = self._manner(overrides.chat_template or backend.chat_template)
        self.with_tools = self.plain
        warnings = [self.plain.template.warning]
        if backend.tool_template is not None and overrides.chat_template is None:
            found = self._manner(backend.tool_template)
            if found.template.warning is None:
                self.with_tools = found
            else:
                warnings.append("the chat template for tools does not compile: the one for chats is used instead")
        self.warnings = tuple(warning for warning in warnings if warning is not None)

    def _manner(self, source: str | None) -> Manner:
        backend, own = self._backend, self._own
        template = ChatTemplate(source, bos=backend.bos, eos=backend.eos, control_texts=backend.control_texts)
        return Manner(
            template=template,
            tags=own.reasoning_tags or tags_of(template.source),
            in_channels=in_channels(template.source) and not own.reasoning_tags,
            stops=tuple(dict.fromkeys((*template.stops, *(own.stop or ())))),
        )

    def of(self, messages: Sequence[ChatMessage], tools: Sequence[Tool]) -> Manner:
        """The manner for these: tools are spoken of where some are offered, or were called before."""
        called = any(message.role == "tool" or message.tool_calls for message in messages)
        return self.with_tools if tools or called else self.plain
