"""Clients of language models, by what docs/gateways.md prints for each."""

import asyncio
import json
import re
import sys
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest

import presidio_mx
from presidio_mx.errors import InputError
from presidio_mx.work.service.mcp_server import Desk

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "gateways.md").read_text(encoding="utf-8")
NOTE = "Paciente Jesús Mendoza Mares. Tel. 443 312 4567. Su esposa: Ana Ruiz Soto."
NAMES = re.compile("Mendoza|Ruiz|443 312")


def block(heading, language):
    """Return the code of a language below a heading of the page."""
    below = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.search(rf"```{language}\n(.*?)```", below, re.DOTALL)[1]


def echo(messages):
    """Answer as a model does: with the last message."""
    return f"Resumen: {messages[-1]['content']}"


class Completions:
    """A client of OpenAI's form, which remembers what was sent."""

    def __init__(self):
        self.sent = []
        self.chat = SimpleNamespace(completions=self)

    def create(self, *, messages, stream=False, **how):
        self.sent.append(messages)
        text = echo(messages)
        if not stream:
            choice = SimpleNamespace(message=SimpleNamespace(content=text))
            return SimpleNamespace(choices=[choice])
        pieces = [text[at : at + 3] for at in range(0, len(text), 3)]
        return iter([chunk(piece) for piece in pieces] + [chunk("", "stop")])


def chunk(text, finish_reason=None):
    delta = SimpleNamespace(content=text)
    choice = SimpleNamespace(index=0, delta=delta, finish_reason=finish_reason)
    return SimpleNamespace(choices=[choice])


def test_a_hidden_chat_sends_no_identifier_and_restores():
    client = Completions()
    chat = presidio_mx.hidden_chat(client, ner="none").chat.completions
    turns = [{"role": "user", "content": NOTE}]
    answer = chat.create(model="m", messages=turns).choices[0].message.content
    assert answer == f"Resumen: {NOTE}"
    turns += [
        {"role": "assistant", "content": answer},
        {"role": "user", "content": [{"type": "text", "text": "¿Y la Sra. Ruiz?"}]},
    ]
    answer = chat.create(model="m", messages=turns).choices[0].message.content
    sent = json.dumps(client.sent, ensure_ascii=False)
    assert not NAMES.search(sent)
    assert "Sra. {NOMBRE_2}" in sent and "Ana Ruiz Soto" in answer


def test_a_stream_of_a_hidden_chat_is_restored():
    chat = presidio_mx.hidden_chat(Completions(), ner="none").chat.completions
    turns = [{"role": "user", "content": NOTE}]
    chunks = chat.create(model="m", messages=turns, stream=True)
    assert "".join(c.choices[0].delta.content for c in chunks) == f"Resumen: {NOTE}"


@contextmanager
def model_server():
    """A server of OpenAI's protocol that answers with the last message."""
    sent = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):  # noqa: N802
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            sent.append(body)
            message = {"role": "assistant", "content": echo(body["messages"])}
            answer = {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": body["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            }
            data = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", sent
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.heavy
def test_openai_s_client(monkeypatch, capsys):
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with model_server() as (address, sent):
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        exec(block("OpenAI's client", "python"), {"note": NOTE})
    assert NOTE in capsys.readouterr().out
    assert not NAMES.search(json.dumps(sent, ensure_ascii=False))


@pytest.mark.heavy
def test_langchain_s_middleware():
    pytest.importorskip("langchain")
    from langchain.agents import create_agent
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage

    seen = []

    class Model(GenericFakeChatModel):
        def _generate(self, messages, *args, **how):
            seen.append(messages[-1].content)
            return super()._generate(messages, *args, **how)

    scope = {}
    exec(block("LangChain's middleware", "python"), scope)
    model = Model(messages=iter([AIMessage("Entendido.")]))
    agent = create_agent(model, middleware=[scope["middleware"]])
    agent.invoke({"messages": [{"role": "user", "content": NOTE}]})
    assert seen and not NAMES.search(seen[0])
    assert seen[0].startswith("Paciente [REDACTED_MX]. Tel. [REDACTED_MX].")


@pytest.mark.heavy
def test_langchain_s_runnable():
    pytest.importorskip("langchain_core")
    seen = []

    def model(prompt):
        seen.append(prompt)
        return f"Resumen: {prompt}"

    scope = {"model": model, "note": NOTE}
    exec(block("A LangChain runnable", "python"), scope)
    assert scope["answer"] == f"Resumen: {NOTE}"
    assert seen and not NAMES.search(seen[0])


def test_tools_read_and_write_in_their_folder_alone(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "note.txt").write_text(NOTE, encoding="utf-8")
    (tmp_path / "other.txt").write_text(NOTE, encoding="utf-8")
    desk = Desk(folder, ner="none")
    shown = desk.hide("note.txt")
    assert shown.startswith("Paciente {NOMBRE_1}") and not NAMES.search(shown)
    done = desk.restore("{NOMBRE_1} y {NOMBRE_7}", "answer.txt")
    assert done == {"restored": 1, "unknown": ["{NOMBRE_7}"]}
    written = (folder / "answer.txt").read_text(encoding="utf-8")
    assert written == "Jesús Mendoza Mares y {NOMBRE_7}"
    with pytest.raises(InputError, match="there is one of this name"):
        desk.restore("{NOMBRE_1}", "answer.txt")
    for outside in ("../other.txt", str(tmp_path / "other.txt"), "."):
        with pytest.raises(InputError, match="outside the folder"):
            desk.hide(outside)
    with pytest.raises(InputError, match="no such folder"):
        Desk(tmp_path / "none")


@pytest.mark.heavy
def test_an_mcp_client(tmp_path):
    pytest.importorskip("mcp")
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    (tmp_path / "note.txt").write_text(NOTE, encoding="utf-8")
    asked = json.loads(block("Assistants with MCP", "json"))
    command = asked["mcpServers"]["presidio-mx"]
    assert command["command"] == "presidio-mx" and command["args"][0] == "mcp"
    line = ["-m", "presidio_mx", "mcp", str(tmp_path), "--ner", "none"]
    server = StdioServerParameters(command=sys.executable, args=line)

    async def talk():
        async with stdio_client(server) as streams, ClientSession(*streams) as session:
            await session.initialize()
            tools = {tool.name for tool in (await session.list_tools()).tools}
            shown = await session.call_tool("hide", {"file": "note.txt"})
            answer = {"answer": "{NOMBRE_2} llama", "file": "a.txt"}
            done = await session.call_tool("restore", answer)
            again = await session.call_tool("restore", answer)
            return tools, shown, done, again

    tools, shown, done, again = asyncio.run(talk())
    assert tools == {"hide", "restore"}
    text = shown.content[0].text
    assert text.startswith("Paciente {NOMBRE_1}") and not NAMES.search(text)
    assert not NAMES.search(done.content[0].text)
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "Ana Ruiz Soto llama"
    assert "there is one of this name" in again.content[0].text
