"""The base model in torch, read from its GGUF, with a LoRA adapter on all linear layers of its blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from torch.nn import functional
from transformers import AutoModelForCausalLM, GgufConfig

from pipeline.training.packing import Packed
from pipeline.training.record import TrainingSettings

LAYERS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


class Learner:
    """The model that learns. Only the adapter's weights change."""

    def __init__(self, model_file: Path, settings: TrainingSettings, kept: Sequence[int]) -> None:
        """`kept`: the vocabulary's entries that an answer may be made of."""
        torch.manual_seed(settings.seed)
        base = AutoModelForCausalLM.from_pretrained(
            model_file.parent,
            gguf_file=model_file.name,
            dtype=torch.bfloat16,
            attn_implementation="sdpa",
            # Packed weights would be unpacked anew in every step.
            quantization_config=GgufConfig(dequantize=True),
        )
        base.config.use_cache = False
        config = LoraConfig(
            r=settings.rank,
            lora_alpha=settings.alpha,
            lora_dropout=0.0,
            target_modules=list(LAYERS),
            task_type="CAUSAL_LM",
        )
        # In bfloat16 like the rest: turning activations to float32 and back took a third of a step.
        self.model: PeftModel = get_peft_model(base, config, autocast_adapter_dtype=False)
        self._masters = {name: weight.detach().float().clone() for name, weight in self._learning()}
        self.layers = int(base.config.num_hidden_layers)
        self._head = base.get_input_embeddings().weight[torch.tensor(kept)].detach()
        self._number = {token: number for number, token in enumerate(kept)}

    @property
    def weights(self) -> list[Any]:
        """The adapter's tensors in float32, for the optimizer: steps are too small for bfloat16 to add them up."""
        return list(self._masters.values())

    def hand_over_gradients(self) -> None:
        """Moves the gradients of the last backward pass to `weights`."""
        for name, weight in self._learning():
            self._masters[name].grad = None if weight.grad is None else weight.grad.float()
            weight.grad = None

    def take_weights(self) -> None:
        """Computes with `weights` as the optimizer has left them."""
        with torch.no_grad():
            for name, weight in self._learning():
                weight.copy_(self._masters[name])

    def learn(self, batch: Packed, optimizer: Any) -> float:
        """One step on a batch, with `optimizer` over `weights`; gives the mean loss before it."""
        loss = self.losses(batch).mean()
        loss.backward()
        self.hand_over_gradients()
        torch.nn.utils.clip_grad_norm_(self.weights, 1.0)
        optimizer.step()
        self.take_weights()
        return float(loss.detach())

    def knows(self, tokens: Sequence[int]) -> bool:
        """Whether an answer of these tokens can be learnt."""
        return all(token in self._number for token in tokens)

    def losses(self, batch: Packed) -> Any:
        """Nats for every answer token of a batch, (answers,) float32."""
        inner = self.model.get_base_model().model
        seen = torch.from_numpy(batch.mask)
        mask = torch.zeros(seen.shape, dtype=torch.bfloat16).masked_fill_(~seen, float("-inf"))
        states = inner(
            input_ids=torch.from_numpy(batch.tokens),
            position_ids=torch.from_numpy(batch.positions),
            # Lines are far shorter than the sliding window, so both kinds of layer see the same.
            attention_mask={"full_attention": mask, "sliding_attention": mask},
            use_cache=False,
        ).last_hidden_state
        wanted = states[torch.from_numpy(batch.rows), torch.from_numpy(batch.columns)]
        labels = torch.tensor([self._number[int(token)] for token in batch.labels])
        return functional.cross_entropy((wanted @ self._head.T).float(), labels, reduction="none")

    def state(self) -> dict[str, Any]:
        """The adapter's tensors by name, float32, for a checkpoint."""
        return dict(self._masters)

    def arrays(self) -> dict[str, Any]:
        """The adapter's tensors by name, as NumPy arrays."""
        return {name: master.numpy() for name, master in self._masters.items()}

    def load(self, state: dict[str, Any]) -> None:
        """Takes the adapter's tensors from a checkpoint."""
        for name, master in self._masters.items():
            master.copy_(state[name])
        self.take_weights()

    def _learning(self) -> Iterator[tuple[str, Any]]:
        return ((name, weight) for name, weight in self.model.named_parameters() if weight.requires_grad)
