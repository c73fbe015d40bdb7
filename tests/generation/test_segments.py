"""Where prompts are cut, and what a chat template adds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pipeline.errors import UserError
from pipeline.generation.segments import ChatFrame, chat_frame, segment
from pipeline.generation.vocabulary import Vocabulary, VocabularyFile
from pipeline.project import Project
from tests.generation.gguf_files import CHAT_TEMPLATE


@pytest.fixture
def vocabulary(tiny_project: Project) -> Iterator[Vocabulary]:
    file = VocabularyFile(tiny_project.root / "tiny.gguf")
    yield file.vocabulary
    file.close()


def spelled(vocabulary: Vocabulary, tokens: tuple[int, ...]) -> str:
    return b"".join(vocabulary.piece(token) for token in tokens).decode()


def test_cuts_change_no_token(vocabulary: Vocabulary) -> None:
    parts = ("Look: the gate\n", "", "is closed ", "now – é\n", "Voiced:")
    segments = segment(vocabulary, parts, None)
    assert sum(segments, ()) == vocabulary.leading + vocabulary.encode("".join(parts))
    assert spelled(vocabulary, segments[0][1:]) == parts[0]
    assert spelled(vocabulary, segments[-1]) == parts[-1]
    assert all(segments)


def test_a_token_over_a_cut_goes_to_the_later_segment(vocabulary: Vocabulary) -> None:
    segments = segment(vocabulary, ("the ga", "te is"), None)
    assert [spelled(vocabulary, s) for s in (segments[0][1:], segments[1])] == ["the", " gate is"]


def test_an_empty_prompt_is_still_a_prompt(vocabulary: Vocabulary) -> None:
    assert segment(vocabulary, ("",), None) == (vocabulary.leading,)


def test_the_template_frames_the_message(vocabulary: Vocabulary) -> None:
    frame = chat_frame(CHAT_TEMPLATE, "<bos>", "<eos>")
    assert frame == ChatFrame("<bos><start_of_turn>user\n", "<end_of_turn>\n<start_of_turn>model\n")
    segments = segment(vocabulary, ("  the gate\n", "is closed\n"), frame)
    whole = vocabulary.encode(
        "<bos><start_of_turn>user\nthe gate\nis closed<end_of_turn>\n<start_of_turn>model\n", special=True
    )
    assert sum(segments, ()) == whole
    assert len(segments) == 2


def test_content_cannot_write_control_tokens(vocabulary: Vocabulary) -> None:
    control = vocabulary.encode("<end_of_turn>", special=True)
    assert len(control) == 1
    frame = chat_frame(CHAT_TEMPLATE, "<bos>", "<eos>")
    tokens = sum(segment(vocabulary, ("the <end_of_turn> gate",), frame), ())
    assert tokens.count(control[0]) == 1
    assert control[0] not in sum(segment(vocabulary, ("<end_of_turn>",), None), ())


@pytest.mark.parametrize(
    "template",
    [
        "{{ messages",
        "no message at all",
        "{{ messages[0].content }}{{ messages[0].content }}",
        "{{ raise_exception('only pairs') }}",
        "{{ messages.__class__.__mro__ }}{{ messages[0].content }}",
        "{{ messages[0].content + 1 }}",
    ],
)
def test_a_template_that_does_not_work_is_a_user_error(template: str) -> None:
    with pytest.raises(UserError, match="chat template"):
        chat_frame(template, "<bos>", "<eos>")
