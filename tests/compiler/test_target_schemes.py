"""Each key scheme against an evaluation that shares no code with symut: torch's and BERT's own formulas."""

import json

import numpy as np
import pytest
import torch

from symut.compiler.compilation import program
from symut.compiler.reader import Request
from symut.compiler.schemes import locate_target

MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [1, 0, 0, 0, 0]])


def multihead(d, H, bias=True):
    torch.manual_seed(0)
    layer = torch.nn.MultiheadAttention(d, H, bias=bias, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.copy_(torch.randn(parameter.shape, dtype=torch.float64) / d**0.5)
    return layer.eval(), {name: tensor.numpy() for name, tensor in layer.state_dict().items()}


def own_forward(layer, X, mask, causal):
    tokens, n = torch.from_numpy(X), X.shape[-2]
    order = torch.ones(n, n, dtype=torch.bool).triu(1) if causal else None
    padding = None if mask is None else torch.from_numpy(mask == 0)
    with torch.no_grad():
        return layer(tokens, tokens, tokens, key_padding_mask=padding, attn_mask=order, need_weights=False)[0].numpy()


@pytest.mark.parametrize("construction", ["sparse", "random"])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("mask", [None, MASK])
def test_multihead_attention_as_torch_runs_it(backbone, save, numbers, tmp_path, construction, bias, causal, mask):
    layer, tensors = multihead(6, 3, bias)
    X = numbers(3, 5, 6)
    given = {"X": X, "Y": own_forward(layer, X, mask, causal)} | ({} if mask is None else {"mask": mask})
    report = program(
        backbone(construction, 3, 1, 6, 2), save("mha", tensors), tmp_path / "E.safetensors",
        heads=3, inputs=save("inputs", given), causal=causal,
    )  # fmt: skip
    assert report.scheme == "mha"
    assert report.lifted is bias
    assert report.rows == 6 + bias
    assert report.scale == pytest.approx(2**-0.5, rel=1e-15)
    assert report.direct_reference.max_abs_error < 1e-14
    assert report.errors["float64"].max_rel_error < (1e-14 if construction == "sparse" else 1e-12)
    assert report.reference["float64"].max_rel_error < (1e-14 if construction == "sparse" else 1e-12)
    assert report.max_rel_error == report.errors["float32"].max_rel_error < 1e-4
    assert (report.condition is None) is (construction == "sparse")


def bert(numbers, d, H, k, layers, prefix):
    tensors = {}
    for layer in range(layers):
        stem = f"{prefix}encoder.layer.{layer}.attention."
        for part in ("query", "key", "value"):
            tensors[f"{stem}self.{part}.weight"] = numbers(H * k, d)
            tensors[f"{stem}self.{part}.bias"] = numbers(H * k)
        tensors[f"{stem}output.dense.weight"] = numbers(d, H * k)
        tensors[f"{stem}output.dense.bias"] = numbers(d)
    return tensors | {f"{prefix}embeddings.word_embeddings.weight": numbers(9, d)}


def bert_by_hand(tensors, stem, H, X):
    """BertSelfAttention and the dense map of BertSelfOutput with torch's functions."""
    given = {name.removeprefix(stem): torch.from_numpy(value) for name, value in tensors.items()}
    tokens = torch.from_numpy(X)

    def heads(part):
        linear = torch.nn.functional.linear(tokens, given[f"self.{part}.weight"], given[f"self.{part}.bias"])
        return linear.view(*X.shape[:-1], H, -1).transpose(-3, -2)

    mixed = torch.nn.functional.scaled_dot_product_attention(heads("query"), heads("key"), heads("value"))
    joined = mixed.transpose(-3, -2).reshape(*X.shape[:-1], -1)
    return torch.nn.functional.linear(joined, given["output.dense.weight"], given["output.dense.bias"]).numpy()


@pytest.mark.parametrize("prefix", ["", "bert."])
@pytest.mark.parametrize("k", [2, 3])
def test_bert_layer_is_found_under_any_prefix(backbone, save, numbers, tmp_path, prefix, k):
    tensors, X = bert(numbers, 6, 3, k, 12, prefix), numbers(4, 6)
    path = save("model", tensors)
    (tmp_path / "config.json").write_text(json.dumps({"num_attention_heads": 3}))
    for layer in (2, 11):
        Y = bert_by_hand(tensors, f"{prefix}encoder.layer.{layer}.attention.", 3, X)
        inputs = save("inputs", {"X": X, "Y": Y})
        report = program(
            backbone("sparse", 3, 1, 6, k),
            path,
            tmp_path / "E.safetensors",
            layer=layer,
            inputs=inputs,
            dtype="float64",
        )
        assert (report.scheme, report.layer, report.lifted) == ("bert", layer, True)
        assert report.reference["float64"].max_rel_error < 1e-14
        assert report.max_rel_error == report.errors["float64"].max_rel_error < 1e-14


@pytest.mark.parametrize("construction", ["sparse", "random"])
@pytest.mark.parametrize(("L", "biases"), [(1, False), (1, True), (2, False)])
@pytest.mark.parametrize("causal", [False, True])
def test_native_scheme(backbone, save, native, tmp_path, construction, L, biases, causal):
    path = save("target", native(2, L, 4, 3, biases))
    report = program(
        backbone(construction, 2, L, 4, 3), path, tmp_path / "E.safetensors", causal=causal, scale=0.5, dtype="float64"
    )
    assert (report.scheme, report.layer, report.scale, report.lifted) == ("symut", None, 0.5, biases)
    assert report.rows_compared == 16
    assert report.max_rel_error < 1e-12


def test_native_layer_is_a_target_of_one_layer(save, native):
    tensors = native(2, 3, 4, 3, biases=True)
    target = locate_target(save("target", tensors), None, Request(layer=1)).read()
    assert target.shape.L == 1
    assert np.array_equal(target.query[0], tensors["WQ"][1])
    assert np.array_equal(target.value_bias[0], tensors["bV"][1])


def test_layers_of_a_torch_encoder_are_in_numeric_order(save):
    layer = torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, 11, enable_nested_tensor=False)
    tensors = {name: tensor.numpy() for name, tensor in encoder.state_dict().items()}
    for number in range(11):
        tensors[f"layers.{number}.self_attn.out_proj.bias"] = np.full(4, number, np.float32)
    target = locate_target(save("encoder", tensors), "mha", Request(layer=10, heads=2)).read()
    assert target.output_bias.tolist() == [[10.0] * 4]


def test_only_the_wanted_tensors_are_read(save, numbers):
    tensors = bert(numbers, 4, 2, 2, 2, "")
    tensors["encoder.layer.1.attention.self.query.weight"][0, 0] = np.nan
    tensors["pooler.dense.weight"] = np.full((4, 4), np.inf)
    assert locate_target(save("model", tensors), None, Request(layer=0, heads=2)).read().shape.k == 2


def test_half_precision_weights_are_widened_exactly(save, native):
    tensors = {name: value.astype(np.float16) for name, value in native(1, 1, 2, 2).items()}
    target = locate_target(save("target", tensors)).read()
    assert target.query.dtype == np.float64
    assert np.array_equal(target.query, tensors["WQ"])
