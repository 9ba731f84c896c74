"""Writes ../models/ranks.json: the rank that onnx's shape inference gives each value of the real models. onnx 1.12; nothing
else is needed at test time.

python3 tests/data/ranks-with-onnx.py

A file has one word for each node, in the order of tests/models: a character for each output, the rank or "-".
"""

import json
import pathlib

import onnx

DIGITS = "0123456789abcdef"
FOLDER = pathlib.Path(__file__).parent.parent / "models"


def ranks_of(graph):
    """The known ranks of the graph's values, by their names."""
    return {
        info.name: len(info.type.tensor_type.shape.dim)
        for info in [*graph.value_info, *graph.output]
        if info.type.tensor_type.HasField("shape")
    }


def words_of(graph):
    """A word for each node, and for each of those in its graphs."""
    ranks = ranks_of(graph)
    for node in graph.node:
        yield "".join(DIGITS[ranks[name]] if name in ranks else "-" for name in node.output)
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from words_of(attribute.g)


def words_of_file(path):
    model = onnx.shape_inference.infer_shapes(onnx.load(path), data_prop=True)
    return " ".join(words_of(model.graph))


facts = json.loads((FOLDER / "facts.json").read_text())
ranks = {
    package: {name: words_of_file(str(FOLDER / "node_modules" / package / name)) for name in files}
    for package, files in facts.items()
}
(FOLDER / "ranks.json").write_text(json.dumps(ranks, indent=2) + "\n")
