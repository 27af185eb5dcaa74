"""Official clients, synchronous and asynchronous, of one running daemon with scripted models."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import anthropic
import ollama
import openai
import pytest


@pytest.fixture
def client(running: Any) -> Iterator[openai.OpenAI]:
    """OpenAI's own client."""
    with openai.OpenAI(base_url=f"{running.url}/v1", api_key="none", max_retries=0, timeout=60) as made:
        yield made


@pytest.fixture
async def async_client(running: Any) -> AsyncIterator[openai.AsyncOpenAI]:
    """OpenAI's own asynchronous client."""
    async with openai.AsyncOpenAI(base_url=f"{running.url}/v1", api_key="none", max_retries=0, timeout=60) as made:
        yield made


@pytest.fixture
def ollama_client(running: Any) -> ollama.Client:
    """Ollama's own client."""
    return ollama.Client(host=running.url, timeout=60)


@pytest.fixture
def async_ollama_client(running: Any) -> ollama.AsyncClient:
    """Ollama's own asynchronous client."""
    return ollama.AsyncClient(host=running.url, timeout=60)


@pytest.fixture
def anthropic_client(running: Any) -> Iterator[anthropic.Anthropic]:
    """Anthropic's own client."""
    with anthropic.Anthropic(base_url=running.url, api_key="none", max_retries=0, timeout=60) as made:
        yield made


@pytest.fixture
async def async_anthropic_client(running: Any) -> AsyncIterator[anthropic.AsyncAnthropic]:
    """Anthropic's own asynchronous client."""
    async with anthropic.AsyncAnthropic(base_url=running.url, api_key="none", max_retries=0, timeout=60) as made:
        yield made
