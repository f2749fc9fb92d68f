"""LiteLLM's guardrail for Presidio, our server in the place of both of Presidio's."""

import asyncio
import json

import pytest

pytest.importorskip("litellm")
pytest.importorskip("fastapi")
import litellm  # noqa: E402
import yaml  # noqa: E402
from litellm.caching.caching import DualCache  # noqa: E402
from litellm.exceptions import BlockedPiiEntityError  # noqa: E402
from litellm.proxy._types import UserAPIKeyAuth  # noqa: E402
from litellm.proxy.guardrails.guardrail_hooks.presidio import (  # noqa: E402
    _OPTIONAL_PresidioPIIMasking as Guardrail,
)
from test_gateways import NAMES, NOTE, block  # noqa: E402
from test_service_serve import Server  # noqa: E402

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.filterwarnings("ignore:Item:UserWarning"),
]
FOLIO = [
    {
        "name": "Folio",
        "supported_language": "es",
        "supported_entity": "FOLIO_LOCAL",
        "patterns": [{"name": "folio", "regex": "KX-[0-9]{4}", "score": 0.9}],
    }
]
CURP = "CURP MEMJ700101HMNNRS09"
TURNS = [
    {"role": "user", "content": NOTE},
    {"role": "assistant", "content": "Entendido."},
    {"role": "user", "content": "¿Qué le digo a la Sra. Ruiz?"},
]


@pytest.fixture(scope="module")
def server():
    made = Server("--ner", "none", "--workers", "1")
    yield f"http://127.0.0.1:{made.port}"
    made.stop()


def guardrail(server, **more):
    """A guardrail as the page configures it, but for the address."""
    (row,) = yaml.safe_load(block("LiteLLM", "yaml"))["guardrails"]
    asked = dict(row["litellm_params"])
    assert asked.pop("guardrail") == "presidio"
    assert asked.pop("mode") == "pre_call"
    asked |= {
        "presidio_analyzer_api_base": server,
        "presidio_anonymizer_api_base": server,
    }
    name = row["guardrail_name"]
    made = Guardrail(guardrail_name=name, event_hook="pre_call", **asked | more)
    made.default_on = True
    return made


def run(work, made):
    """Run a coroutine, then close the guardrail's connections."""

    async def whole():
        try:
            return await work
        finally:
            await made._close_http_session()

    return asyncio.run(whole())


async def asked(made, messages):
    data = {"messages": [dict(m) for m in messages], "metadata": {}}
    return await made.async_pre_call_hook(
        UserAPIKeyAuth(), DualCache(), data, "completion"
    )


def text_of(data):
    return json.dumps(data["messages"], ensure_ascii=False)


def test_a_chat_of_several_turns_is_masked(server):
    made = guardrail(server, output_parse_pii=False)
    text = text_of(run(asked(made, TURNS), made))
    assert not NAMES.search(text)
    assert "Paciente <PERSON>. Tel. <PHONE_NUMBER>." in text


@pytest.mark.parametrize("stream", [False, True])
def test_names_are_put_back_into_an_answer(server, stream):
    made = guardrail(server)

    async def whole():
        data = await asked(made, TURNS)
        assert not NAMES.search(text_of(data))
        answer = await litellm.acompletion(
            model="gpt-4o",
            messages=data["messages"],
            mock_response="Resumen: <PERSON_1>, esposa <PERSON_3>.",
            stream=stream,
        )
        user = UserAPIKeyAuth()
        if not stream:
            done = await made.async_post_call_success_hook(data, user, answer)
            return done.choices[0].message.content
        hook = made.async_post_call_streaming_iterator_hook
        chunks = [chunk async for chunk in hook(user, answer, data)]
        return "".join(c.choices[0].delta.content or "" for c in chunks)

    assert run(whole(), made) == "Resumen: Jesús Mendoza Mares, esposa Ana Ruiz Soto."


def test_entities_are_masked_or_blocked(server):
    made = guardrail(server, pii_entities_config={"MX_CURP": "BLOCK", "PERSON": "MASK"})

    async def whole():
        data = await asked(made, [{"role": "user", "content": NOTE}])
        with pytest.raises(BlockedPiiEntityError, match="MX_CURP"):
            await asked(made, [{"role": "user", "content": CURP}])
        return text_of(data)

    text = run(whole(), made)
    assert "<PERSON_" in text and "443 312 4567" in text


def test_recognizers_of_its_own_file(server, tmp_path):
    path = tmp_path / "recognizers.json"
    path.write_text(json.dumps(FOLIO), encoding="utf-8")
    made = guardrail(server, presidio_ad_hoc_recognizers=str(path))
    text = text_of(
        run(asked(made, [{"role": "user", "content": "folio KX-1234"}]), made)
    )
    assert "KX-1234" not in text
