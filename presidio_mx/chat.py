"""A client of a language model that never sends an identifier.

It has the form of OpenAI's client, which most servers of models understand.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from presidio_mx.conversation import Hidden, Incoming

Message = dict[str, Any]


class HiddenChat:
    """Hides each message before it is sent, and restores what comes back.

    ``client.chat.completions.create`` takes and gives what OpenAI's does, streams
    included; nothing else of the client is offered, since it would send what it is
    given. One conversation is one patient's: make a new one for the next.

    :param client: A client with ``chat.completions.create``, not an asynchronous one.
    :param settings: As :func:`presidio_mx.hidden` takes them.
    """

    def __init__(self, client: Any, **settings: Any) -> None:
        """Begin a conversation."""
        self._create = client.chat.completions.create
        self._hidden = Hidden("", **settings)
        self._sent: dict[str, str] = {}

    @property
    def chat(self) -> "HiddenChat":
        """This client, as ``client.chat``."""
        return self

    @property
    def completions(self) -> "HiddenChat":
        """This client, as ``client.chat.completions``."""
        return self

    def create(self, *, messages: Sequence[Message], **how: Any) -> Any:
        """Ask the model.

        :param messages: All messages of the conversation so far, as for OpenAI.
        :param how: What else is passed on: ``model``, ``stream`` ...
        :return: The answer, with the originals in it.
        """
        answer = self._create(messages=[self._message(m) for m in messages], **how)
        return self._pieces(answer) if how.get("stream") else self._whole(answer)

    def _message(self, message: Message) -> Message:
        content = message.get("content")
        if isinstance(content, str):
            return {**message, "content": self._hide(content)}
        if isinstance(content, list):
            return {**message, "content": [self._part(part) for part in content]}
        return dict(message)

    def _part(self, part: Message) -> Message:
        text = part.get("text")
        return {**part, "text": self._hide(text)} if isinstance(text, str) else part

    def _hide(self, text: str) -> str:
        """Return a text with what stands for originals, as it was sent before."""
        if text not in self._sent:
            self._sent[text] = self._hidden.hide(text)
        return self._sent[text]

    def _whole(self, answer: Any) -> Any:
        for choice in answer.choices:
            message = choice.message
            if message.content:
                message.content = self._hidden.restore(message.content).text
            for call in getattr(message, "tool_calls", None) or ():
                arguments = self._hidden.restore(call.function.arguments)
                call.function.arguments = arguments.text
        return answer

    def _pieces(self, answer: Any) -> Iterator[Any]:
        """Yield the chunks of a stream; a choice's text comes when it is sure."""
        coming: dict[int, Incoming] = {}
        for chunk in answer:
            for choice in chunk.choices:
                text = coming.setdefault(choice.index, Incoming(self._hidden))
                ready = text.add(choice.delta.content or "")
                if choice.finish_reason:
                    ready += text.end()
                if ready or choice.delta.content:
                    choice.delta.content = ready
            yield chunk


hidden_chat = HiddenChat
"""Wraps a client: ``client = presidio_mx.hidden_chat(OpenAI())``."""
