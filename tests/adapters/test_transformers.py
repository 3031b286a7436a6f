"""BLEU in a real Trainer and Seq2SeqTrainer: small models with random weights, nothing fetched."""

import json
import os
import random
import socket
import warnings
from itertools import chain, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from small_models import causal_model, word_tokenizer

from bleu_nb import corpus_bleu
from bleu_nb.adapters.transformers import TrainerBleu

MISSING = "{} is not installed here: `make frameworks` brings it"
np = pytest.importorskip("numpy", reason=MISSING.format("numpy"))
torch = pytest.importorskip("torch", reason=MISSING.format("torch"))
os.environ.setdefault("HF_HUB_OFFLINE", "1")
transformers = pytest.importorskip("transformers", reason=MISSING.format("transformers"))
pytest.importorskip("accelerate", reason=MISSING.format("accelerate"))

WORDS = ["<pad>", "</s>", "<unk>", "the", "boat", "came", "late", "they", "lit",
         "lamp", "no", "she", "never", "at", "sea", "we"]
LINES = ["the boat came late", "they lit the lamp", "no", "she never came at sea",
         "we never lit the lamp at sea", "late we came", "the sea"]
NUMBERS = ("bleu", "bleu_precision_1", "bleu_precision_4", "bleu_brevity_penalty",
           "bleu_candidate_length", "bleu_reference_length")


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return word_tokenizer(WORDS)


def translator() -> Any:
    """Encoder and decoder; its vocabulary is larger than the tokenizer's, as T5's is."""
    torch.manual_seed(5)
    model = transformers.T5ForConditionalGeneration(transformers.T5Config(
        vocab_size=24, d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2,
        decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, tie_word_embeddings=False,
        initializer_factor=3.0))
    model.generation_config.max_length = 8
    model.generation_config.suppress_tokens = [0, 1, 2, *range(len(WORDS), 24)]
    return model


def rows(tokenizer: Any, causal: bool = False) -> list[dict[str, list[int]]]:
    """A data set: each line is to be translated into the next."""
    ids = [[*tokenizer(line)["input_ids"], 1] for line in LINES]
    return [{"input_ids": source, "labels": source if causal else target}
            for source, target in zip(ids, [*ids[1:], ids[0]], strict=True)]


def collate(batch: list[dict[str, list[int]]]) -> dict[str, Any]:
    """Inputs filled up with the pad token, labels with -100."""
    pad = torch.nn.utils.rnn.pad_sequence
    return {name: pad([torch.tensor(row[name]) for row in batch], True, value)
            for name, value in (("input_ids", 0), ("labels", -100))}


def trainer_of(
    model: Any, tokenizer: Any, metric: TrainerBleu, folder: Path, data: Any,
    generate: bool = False, size: int = 3, keep_ids: bool = False, **options: Any
) -> Any:
    """A Trainer, or a Seq2SeqTrainer, that evaluates in batches of some segments."""
    kinds = (transformers.Seq2SeqTrainer, transformers.Seq2SeqTrainingArguments)
    kind, arguments = kinds if generate else (transformers.Trainer, transformers.TrainingArguments)
    if generate:
        options["predict_with_generate"] = True
    return kind(
        model, arguments(str(folder / "out"), per_device_eval_batch_size=size, use_cpu=True,
                         report_to="none", disable_tqdm=True, **options),
        eval_dataset=data, data_collator=collate, compute_metrics=metric,
        processing_class=tokenizer,
        preprocess_logits_for_metrics=metric.argmax if keep_ids else None)


@pytest.mark.parametrize("options", [
    {}, {"keep_ids": True}, {"batch_eval_metrics": True},
    {"keep_ids": True, "batch_eval_metrics": True}, {"eval_accumulation_steps": 1},
    {"eval_do_concat_batches": False}, {"eval_do_concat_batches": False, "keep_ids": True},
], ids=str)
@pytest.mark.parametrize("causal", [False, True])
def test_what_logits_say(
    tokenizer: Any, tmp_path: Path, options: dict[str, bool], causal: bool
) -> None:
    metric, data = TrainerBleu(tokenizer, causal=causal), rows(tokenizer, causal)
    trainer = trainer_of(causal_model(WORDS) if causal else translator(), tokenizer, metric,
                         tmp_path, data, **options)
    found = trainer.evaluate()
    assert all(type(found[f"eval_{name}"]) is float for name in NUMBERS)
    trainer.compute_metrics = trainer.preprocess_logits_for_metrics = None
    said = trainer.predict(data)
    batches = (zip(said.predictions, said.label_ids, strict=True)
               if "eval_do_concat_batches" in options else [(said.predictions, said.label_ids)])
    segments = [(scores, row) for predictions, labels in batches for scores, row in zip(
        predictions[0] if isinstance(predictions, tuple) else predictions, labels, strict=True)]
    likeliest = [[int(scores[place - causal].argmax()) for place, label in enumerate(row)
                  if label != -100 and place >= causal] for scores, row in segments]
    candidates = [tokenizer.decode([each for each in ids if each < len(WORDS)],
                                   skip_special_tokens=True).strip() for ids in likeliest]
    humans = LINES if causal else [*LINES[1:], LINES[0]]
    assert metric.score == corpus_bleu(candidates, [[line] for line in humans])
    assert found["eval_bleu"] == metric.score.value


class Echo(torch.nn.Module):  # type: ignore[misc]
    """Generates its input, or answers with its logits: a segment's text is known in any batch."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))
        self.config = transformers.PretrainedConfig(pad_token_id=0)
        self.generation_config = transformers.GenerationConfig(max_length=4)

    def generate(self, input_ids: Any, **_: Any) -> Any:
        return input_ids

    def forward(self, input_ids: Any, labels: Any = None) -> dict[str, Any]:
        return {"loss": self.weight.sum(),
                "logits": torch.nn.functional.one_hot(input_ids, 24).float()}


def echoes(number: int) -> list[dict[str, Any]]:
    """A data set of known texts: rows with inputs, labels as long, and references."""
    rng, data = random.Random(number), []
    for place in range(number):
        size = rng.randrange(4, 12)
        said, label = (rng.choices(range(3, len(WORDS)), k=size) for _ in range(2))
        # All labels differ: the first two words are a number.
        label[:2] = 3 + place % 13, 3 + place // 13
        other = [*said[:size - place % 3], 3]
        data.append({"input_ids": [*said, 1], "labels": [*label, 1], "references": [
            " ".join(WORDS[each] for each in ids) for ids in (label, other)]})
    return data


def echoing(
    tokenizer: Any, metric: TrainerBleu, folder: Path, data: Any, generate: bool, **options: Any
) -> Any:
    """It evaluates such data, in batches of four."""
    return trainer_of(Echo(), tokenizer, metric, folder, data, generate, 4, **options)


def wanted_of(data: list[dict[str, Any]]) -> float:
    """BLEU of what `Echo` says of rows."""
    said = [" ".join(WORDS[each] for each in row["input_ids"][:-1]) for row in data]
    return corpus_bleu(said, [row["references"] for row in data]).value


def sampling(strategy: str) -> dict[str, Any]:
    """How evaluation sets are ordered; before version 5 there was one switch for it."""
    if "train_sampling_strategy" in transformers.TrainingArguments.__dataclass_fields__:
        return {"train_sampling_strategy": strategy}
    return {"group_by_length": strategy == "group_by_length"}


@pytest.mark.parametrize("generate", [False, True])
@pytest.mark.parametrize("by_batch", [False, True])
@pytest.mark.parametrize("strategy", ["sequential", "group_by_length"])
def test_references_meet_their_own_sentences(
    tokenizer: Any, tmp_path: Path, generate: bool, by_batch: bool, strategy: str
) -> None:
    sets = {"first": echoes(23), "second": [*echoes(40)[23:], *echoes(30)[24:]]}
    metric = TrainerBleu(tokenizer, references=chain(*sets.values()))
    trainer = echoing(tokenizer, metric, tmp_path, sets, generate, batch_eval_metrics=by_batch,
                      **sampling(strategy))
    found = trainer.evaluate()
    for name, data in sets.items():
        assert found[f"eval_{name}_bleu"] == wanted_of(data)
        assert trainer.predict(data).metrics["test_bleu"] == wanted_of(data)
    assert wanted_of(sets["first"]) != wanted_of(sets["second"])


class Endless(list[Any]):
    """A data set that gives a row for any place, and only says where it ends."""

    def __getitem__(self, place: Any) -> Any:
        return super().__getitem__(place % len(self))


@pytest.mark.parametrize("options", [
    {"dataloader_num_workers": 2}, {"dataloader_drop_last": True},
    {"eval_do_concat_batches": False}, {"eval_accumulation_steps": 1}, None,
], ids=str)
def test_references_of_a_column_or_of_a_data_set_without_an_end(
    tokenizer: Any, tmp_path: Path, options: dict[str, Any] | None
) -> None:
    datasets = pytest.importorskip("datasets", reason=MISSING.format("datasets"))
    rows_ = echoes(23)
    data = datasets.Dataset.from_list(rows_) if options else Endless(rows_)
    found = echoing(tokenizer, TrainerBleu(tokenizer, references=data), tmp_path, data, True,
                    **options or {}).evaluate()
    left = rows_[:20] if "dataloader_drop_last" in (options or ()) else rows_
    assert found["eval_bleu"] == wanted_of(left)


def test_references_are_told_of_each_batch(tokenizer: Any, tmp_path: Path) -> None:
    data = echoes(23)
    known = {(*row["labels"],): row["references"] for row in data}
    metric = TrainerBleu(tokenizer, references=lambda given: [
        known[(*(each for each in ids if each >= 0),)] for ids in given.label_ids.tolist()])
    found = echoing(tokenizer, metric, tmp_path, data, True, batch_eval_metrics=True).evaluate()
    assert found["eval_bleu"] == wanted_of(data)


@pytest.mark.parametrize(("references", "kind", "message"), [
    ([["a b"], ["c"]], TypeError, r"^references\[0\] must be a row of the evaluated data, with"),
    ({"a": ["b"]}, TypeError, "references must be an ordered list, not a dict"),
    (3, TypeError, "references must be a list, not int"),
    ([{"labels": [3]}], TypeError, r"references\[0\] must be a row"),
    ([{"labels": [3], "references": "boat"}], TypeError, r"\['references'\] must be a list"),
    ([{"labels": [3], "references": [None]}], ValueError, "holds no reference"),
    ([{"labels": [3], "references": [["boat"]]}], TypeError, "all segments as text"),
    ([{"labels": [3, -100], "references": ["boat"]}, {"labels": [3, 1], "references": ["sea"]}],
     ValueError, r"references\[1\] has the labels of an earlier row, 'the', but other references"),
])  # fmt: skip
def test_references_that_prove_nothing_are_refused_before_training(
    tokenizer: Any, references: Any, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        TrainerBleu(tokenizer, references=references)


WAYS = ("sequential", "grouped", "dispatched", "fetched")


def wide(batch: list[dict[str, list[int]]]) -> dict[str, Any]:
    """Rows as wide in any batch, as one process must hand them to others."""
    return {name: torch.nn.functional.pad(side, (0, 14 - side.shape[1]), value=value)
            for (name, side), value in zip(collate(batch).items(), (0, -100), strict=True)}


def share(process: int, port: int, folder: str, tokenizer: Any) -> None:
    """What one of two processes does: evaluate data of several sizes in several ways."""
    os.environ.update(RANK=str(process), LOCAL_RANK=str(process), WORLD_SIZE="2",
                      MASTER_ADDR="localhost", MASTER_PORT=str(port))
    found = []
    for number, generate, by_batch, way in product(
            (3, 23, 24), (False, True), (False, True), WAYS):
        data = echoes(number)
        metric = TrainerBleu(tokenizer, references=data)
        trainer = echoing(
            tokenizer, metric, Path(folder),
            Unmeasured(data) if way in ("dispatched", "fetched") else data, generate,
            batch_eval_metrics=by_batch, ddp_backend="gloo",
            **sampling("group_by_length" if way == "grouped" else "sequential"),
            accelerator_config={"dispatch_batches": False} if way == "fetched" else None)
        if way == "dispatched":
            trainer.data_collator = wide
        try:
            answer = trainer.evaluate()["eval_bleu"]
        except ValueError as error:
            answer = str(error)
        found.append((number, generate, by_batch, way, answer))
    if not process:
        (Path(folder) / "found.json").write_text(json.dumps(found))
    torch.distributed.destroy_process_group()


def test_what_two_processes_repeat_does_not_count(tokenizer: Any, tmp_path: Path) -> None:
    with socket.socket() as meeting:
        meeting.bind(("localhost", 0))
        port = meeting.getsockname()[1]
    torch.multiprocessing.spawn(share, (port, str(tmp_path), tokenizer), nprocs=2)
    found = json.loads((tmp_path / "found.json").read_text())
    assert len(found) == 48
    for number, generate, by_batch, way, answer in found:
        if way == "fetched" and by_batch:
            assert answer.startswith("2 processes may repeat segments of data without a length")
        elif not by_batch and number % 8 and (generate or way == "fetched"):
            assert "segments repeat the first, as if 2 processes could not divide" in answer
        else:
            assert answer == wanted_of(echoes(number))


@pytest.mark.parametrize("generate", [False, True])
@pytest.mark.parametrize("by_batch", [False, True])
def test_what_is_no_token_is_left_out_whether_generated_or_likeliest(
    tokenizer: Any, tmp_path: Path, generate: bool, by_batch: bool
) -> None:
    data, plain = echoes(23), echoes(23)
    for row, other in zip(data, plain, strict=True):
        other["input_ids"][1] = 20    # A row of the model, and no token
        del row["input_ids"][1]
    metric = TrainerBleu(tokenizer, references=data)
    trainer = echoing(tokenizer, metric, tmp_path, plain, generate, batch_eval_metrics=by_batch)
    assert trainer.evaluate()["eval_bleu"] == wanted_of(data)


def batches(tokenizer: Any, sizes: list[int]) -> list[SimpleNamespace]:
    """What a Trainer hands over: ids and labels, filled up to a width of each batch's own."""
    found, data = [], rows(tokenizer)
    for size in sizes:
        some, data = data[:size], data[size:]
        sides = collate(some)
        wide = torch.nn.functional.pad(sides["input_ids"], (0, size), value=-100)
        found.append(SimpleNamespace(predictions=wide, label_ids=sides["labels"]))
    return found


@pytest.mark.parametrize("last", [False, True])
def test_an_error_forgets_the_evaluation(tokenizer: Any, last: bool) -> None:
    metric, [first] = TrainerBleu(tokenizer), batches(tokenizer, [3])
    metric(first, compute_result=False)
    with pytest.raises(OverflowError):
        metric(SimpleNamespace(predictions=first.predictions - 40, label_ids=first.label_ids),
               compute_result=last)
    assert not metric.counts


IDS = torch.tensor([[3, 4]])


@pytest.mark.parametrize(("predictions", "labels", "told"), [
    *((torch.tensor(predictions), torch.tensor(labels), told) for predictions, labels, told in (
        ([[0.5, 0.5]], [[1]], r"predictions are torch.float32 of shape \(1, 2\): pass an array"),
        ([3], [[1]], r"predictions are torch.int64 of shape \(1,\): pass an array"),
        ([[[1]]], [[1]], r"predictions are torch.int64 of shape \(1, 1, 1\)"),
        ([[True]], [[1]], r"predictions are torch.bool"),
        ([[[0.5], [0.5]]], [[1]],
         r"logits of shape \(1, 2\) do not match labels of shape \(1, 1\)"),
        ([[3], [3]], [[3]], "differ in number"))),
    ([[3, 4]], IDS, "predictions are list"), (IDS, [[3, 4]], "labels are list"),
    (None, IDS, "predictions are NoneType"), ((), IDS, "predictions are tuple"),
    (IDS, (), "labels are tuple"), ([IDS], [IDS, IDS], "predictions are NoneType"),
    (IDS, IDS[0], r"labels are torch.int64 of shape \(2,\)"),
    (IDS, IDS[None], r"labels are torch.int64 of shape \(1, 1, 2\)"),
    (IDS, IDS / 2, r"labels are torch.float32 of shape \(1, 2\)"),
    (IDS, torch.ones(1, 2, 24), r"labels are torch.float32 of shape \(1, 2, 24\)"),
    ([IDS, IDS], [IDS], "candidates and references differ in number, 2 and 1"),
    ([IDS, IDS], IDS, "candidates and references differ in number, 2 and 1"),
])  # fmt: skip
def test_what_is_no_array_of_ids_or_logits_is_refused_by_its_name(
    tokenizer: Any, predictions: Any, labels: Any, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        TrainerBleu(tokenizer)(SimpleNamespace(predictions=predictions, label_ids=labels))


def test_a_pair_is_no_prediction(tokenizer: Any) -> None:
    metric: Any = TrainerBleu(tokenizer)
    for given in (IDS, IDS), [IDS, IDS], IDS:
        with pytest.raises(TypeError, match=r"must be an EvalPrediction\(predictions, label"):
            metric(given)
    assert metric(transformers.EvalPrediction(IDS, IDS)) == metric(
        transformers.EvalPrediction((IDS, "hidden states"), [IDS]))
    with pytest.raises(ValueError, match="predictions are list"):
        metric.argmax([IDS, IDS], IDS)


@pytest.mark.parametrize("predictions", [[IDS, IDS], torch.cat([IDS, IDS])])
def test_batches_that_are_not_joined_need_no_labels(tokenizer: Any, predictions: Any) -> None:
    metric = TrainerBleu(tokenizer, references=lambda given: [["the boat"]] * 2)
    metric(SimpleNamespace(predictions=predictions, label_ids=None))
    assert metric.score == corpus_bleu(tokenizer.batch_decode([[3, 4]] * 2), [["the boat"]] * 2)


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_batch_without_segments_changes_nothing(tokenizer: Any, at: int) -> None:
    metric, empty = TrainerBleu(tokenizer), torch.ones((0, 2), dtype=torch.long)
    wanted = metric(*batches(tokenizer, [5]))
    steps = batches(tokenizer, [3, 2])
    steps.insert(at, SimpleNamespace(predictions=empty, label_ids=empty))
    assert wanted == [
        metric(each, compute_result=place == 2) for place, each in enumerate(steps)][2]
    assert metric(steps[at], compute_result=False) == {}
    for last in True, None:
        with pytest.raises(ValueError, match="an empty corpus"):
            metric(steps[at], compute_result=last)


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16, torch.float64])
def test_half_precision_and_tuples(tokenizer: Any, kind: Any) -> None:
    labels, metric = collate(rows(tokenizer))["labels"], TrainerBleu(tokenizer)
    logits = torch.nn.functional.one_hot(labels.clamp(min=0), 24)
    metric(SimpleNamespace(predictions=(logits.to(kind), None), label_ids=labels))
    assert metric.score is not None and metric.score.value == pytest.approx(100, abs=1e-9)


class Breaks(transformers.TrainerCallback):  # type: ignore[misc]
    """Break an evaluation off before its second batch is counted."""

    def __init__(self, kind: type[BaseException]) -> None:
        self.errors = iter([None, kind])

    def on_prediction_step(self, *args: Any, **kwargs: Any) -> None:
        if error := next(self.errors, None):
            raise error


class Unmeasured(torch.utils.data.IterableDataset):  # type: ignore[misc]
    """A data set that does not know how long it is."""

    def __init__(self, data: list[Any]) -> None:
        self.data = data

    def __iter__(self) -> Any:
        return iter(self.data)


@pytest.mark.parametrize("kind", [RuntimeError, KeyboardInterrupt])
@pytest.mark.parametrize("unmeasured", [False, True])
def test_an_evaluation_that_was_broken_off_leaves_nothing(
    tokenizer: Any, tmp_path: Path, kind: type[BaseException], unmeasured: bool
) -> None:
    metric, data = TrainerBleu(tokenizer), rows(tokenizer)
    trainer = trainer_of(translator(), tokenizer, metric, tmp_path, Unmeasured(data)
                         if unmeasured else data, keep_ids=True, batch_eval_metrics=True)
    wanted = trainer.evaluate()["eval_bleu"]
    for again in (lambda: trainer.evaluate()["eval_bleu"],
                  lambda: trainer.predict(data).metrics["test_bleu"]):
        trainer.add_callback(Breaks(kind))
        with pytest.raises(kind):
            trainer.evaluate()
        assert sum(map(len, metric.counts)) == 3
        with pytest.warns(UserWarning, match="interrupted, and its segments are discarded"):
            assert again() == wanted


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("shift", [-1, 0, 1])
@pytest.mark.parametrize("causal", [False, True])
def test_predictions_of_another_place_are_noted(
    tokenizer: Any, seed: int, shift: int, causal: bool
) -> None:
    draw = np.random.default_rng(seed)
    rows, places, words = draw.integers(1, 9), draw.integers(8, 40), int(draw.integers(8, 200))
    labels = draw.integers(0, words, (rows, places))
    ids = np.roll(labels, shift, axis=1)
    wrong = draw.random(ids.shape) < draw.choice([0.0, 0.2, 0.4])
    ids[wrong] = draw.integers(0, words, int(wrong.sum()))
    labels[:, -draw.integers(1, 4):] = -100     # Padding
    labels[:, :draw.integers(0, 3)] = -100      # A prompt
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        TrainerBleu(tokenizer, causal=causal).argmax(np.eye(words)[ids], labels)
    told = [str(each.message) for each in noted]
    expected = {(False, -1): "causal=True),", (True, 0): "omit causal=True"}.get((causal, shift))
    assert len(told) == (expected is not None)
    assert all(expected in each for each in told)
