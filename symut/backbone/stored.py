"""Backbones and targets in safetensors files: written with one metadata key, read without trust.

Main definitions: `serialize`, `read_tensors`, `read_metadata`, `backbone_sizes`, `read_backbone`.
A file is refused if it is missing, truncated or not safetensors, or if a tensor has a wrong shape or dtype, a NaN or an
infinity.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symut.backbone.agreement import agreed_sizes
from symut.errors import TargetError

if TYPE_CHECKING:
    import numpy as np

BACKBONE = ("RQ", "RK", "RV", "U")
"""The tensors of a stored backbone."""

METADATA_KEY = "symut"
"""The single metadata key: with several keys the order, and so the bytes, would differ between runs."""


def serialize(tensors: Mapping[str, np.ndarray], metadata: Mapping[str, Any]) -> bytes:
    """The bytes of a safetensors file; the same tensors and metadata give the same bytes everywhere."""
    import numpy as np
    from safetensors.numpy import save

    packed = {name: np.ascontiguousarray(tensor) for name, tensor in sorted(tensors.items())}
    return save(packed, metadata={METADATA_KEY: json.dumps(dict(metadata), sort_keys=True)})


def _unreadable(path: Path, got: str) -> TargetError:
    return TargetError(
        f"cannot read {path}",
        expected="a safetensors file",
        got=got,
        remedy="check the path, or save it again with safetensors",
    )


def _open(path: Path) -> Any:
    from safetensors import SafetensorError, safe_open

    try:
        if not path.is_file():
            kind = "not a regular file" if path.exists() else "no such file"
            raise _unreadable(path, "a folder" if path.is_dir() else kind)
        return safe_open(path, framework="numpy")
    except (SafetensorError, OSError, ValueError) as error:
        raise _unreadable(path, str(error) or type(error).__name__) from None


def read_metadata(path: Path) -> dict[str, Any]:
    """What symut wrote about a file, {} if it has no such key or if the key is not a JSON object."""
    with _open(path) as file:
        text = (file.metadata() or {}).get(METADATA_KEY, "{}")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def tensor_shapes(path: Path) -> dict[str, tuple[int, ...]]:
    """Names and shapes of all tensors, without reading them."""
    with _open(path) as file:
        return {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118


def _tensor(file: Any, path: Path, name: str, boolean: bool) -> np.ndarray:
    kind = file.get_slice(name).get_dtype()
    if kind not in {"F64", "F32", "F16", "BF16", "I64", "I32", "I16", "I8", *(["BOOL"] if boolean else [])}:
        raise TargetError(
            f"tensor {name} of {path} has a dtype that is no exact number",
            expected="float64, float32, float16, bfloat16 or a signed integer",
            got=kind,
            remedy="convert it and save again",
        )
    tensor = _brain_float(path, name) if kind == "BF16" else file.get_tensor(name)
    _require_finite(tensor, path, name)
    return tensor


def _require_finite(tensor: np.ndarray, path: Path, name: str) -> None:
    import numpy as np

    wrong = np.argwhere(~np.isfinite(tensor))
    if len(wrong):
        where = tuple(int(i) for i in wrong[0])
        raise TargetError(
            f"tensor {name} of {path} is not finite", expected="numbers", got=f"NaN or infinity at {where}"
        )


def _brain_float(path: Path, name: str) -> np.ndarray:
    """bfloat16 is the upper half of a float32; numpy has no such dtype.  safetensors has checked the header before."""
    import numpy as np

    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        entry = json.loads(file.read(length))[name]
        begin, end = entry["data_offsets"]
        file.seek(8 + length + begin)
        upper = np.frombuffer(file.read(end - begin), dtype="<u2").astype(np.uint32) << 16
    return upper.view(np.float32).reshape(entry["shape"])


def _require_present(path: Path, present: Collection[str], names: Sequence[str]) -> None:
    for name in names:
        if name not in present:
            listed = ", ".join(sorted(present)[:6]) + (" ..." if len(present) > 6 else "")
            raise TargetError(f"{path} lacks a tensor", expected=name, got=listed or "no tensors")


def read_tensors(path: Path, names: Sequence[str], boolean: Sequence[str] = ()) -> dict[str, np.ndarray]:
    """The named tensors as numpy arrays in their stored precision (bfloat16 widened to float32).

    Those in `boolean` may also be boolean.

    Raises TargetError if the file cannot be read, a tensor is missing, has an unusable dtype, or is not finite.
    """
    with _open(path) as file:
        _require_present(path, set(file.keys()), names)
        return {name: _tensor(file, path, name, name in boolean) for name in names}


def backbone_sizes(path: Path, H: int, L: int) -> tuple[int, int, int]:
    """The sizes d, k, m of a stored backbone, from the header of the file alone.

    Raises TargetError as `read_backbone` does, but for what only the numbers show.
    """
    shapes = tensor_shapes(path)
    _require_present(path, shapes, BACKBONE)
    return agreed_sizes(path, shapes, H, L)


def read_backbone(path: Path, H: int, L: int) -> tuple[dict[str, np.ndarray], int, int, int]:
    """RQ, RK (L x H x m x k), RV (L x H x m x m), U (m x d) and the sizes d, k, m that they have.

    Raises TargetError as `read_tensors` does, and for the tensor that disagrees with the others or with H and L.
    """
    tensors = read_tensors(path, BACKBONE)
    d, k, m = agreed_sizes(path, {name: tensor.shape for name, tensor in tensors.items()}, H, L)
    return tensors, d, k, m


def require_same(path: Path, content: bytes, tensors: Mapping[str, np.ndarray]) -> None:
    """Raise TargetError unless `content`, whose SHA-256 a statement will name, holds these very tensors.

    The file is read by its tensors and as a whole; between the two somebody could have replaced it.
    """
    with tempfile.NamedTemporaryFile(suffix=path.suffix) as copy:
        copy.write(content)
        copy.flush()
        again = read_tensors(Path(copy.name), tuple(tensors))
    if any(tensor.tobytes() != again[name].tobytes() for name, tensor in tensors.items()):
        raise TargetError(f"{path} changed while it was read", remedy="try again")
