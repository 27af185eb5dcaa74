"""What is in somebody's diary."""

import pytest

from memory_store.engagements import engaged
from memory_store.statements import extract


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("Next Monday I have a vet appointment at 9 with Dr. Ida", "vet appointment", "next Monday at 9 with Dr. Ida"),
        ("I have an appointment with the lawyer on 12 May at 10:30", "appointment with the lawyer", "12 May at 10:30"),
        ("I have a meeting with my coach tomorrow at 9", "meeting with the coach", "tomorrow at 9"),
        ("We've got a choir rehearsal on Friday", "choir rehearsal", "Friday"),
        ("I'm meeting with the landlord Friday at 4pm", "meeting with the landlord", "Friday at 4pm"),
        ("We're seeing our lawyer on 12 May at 10:30", "seeing the lawyer", "12 May at 10:30"),
        ("We have a dinner reservation at 8 on Saturday", "dinner reservation", "at 8 on Saturday"),
    ],
)  # fmt: skip
def test_an_engagement_has_its_day_and_hour_in_one(text: str, attribute: str, value: str) -> None:
    """Whatever order day, hour and company are told in, the fact is named by the engagement and holds them all."""
    said = engaged(text)
    assert said is not None
    assert (said.attribute, said.value) == (attribute, value)
    assert [(s.attribute, s.value) for s in extract(f"{text}.")] == [(attribute, value)]


@pytest.mark.parametrize(
    "text", ["I have a lesson", "We have a meeting room", "I have a dog on Fridays", "I have an exam in algebra"]
)
def test_what_tells_no_time_or_no_engagement_is_none(text: str) -> None:
    """Without a time, or of anything else, other readers tell what is meant."""
    assert engaged(text) is None
