"""Official clients, synchronous and asynchronous, of one running daemon with scripted models."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import openai
import pytest


@pytest.fixture
def client(running: Any) -> Iterator[openai.OpenAI]:
    """OpenAI's own client."""
    with openai.OpenAI(base_url=f"{running.url}/v1", api_key="none", max_retries=0, timeout=30) as made:
        yield made


@pytest.fixture
async def async_client(running: Any) -> AsyncIterator[openai.AsyncOpenAI]:
    """OpenAI's own asynchronous client."""
    async with openai.AsyncOpenAI(base_url=f"{running.url}/v1", api_key="none", max_retries=0, timeout=30) as made:
        yield made
