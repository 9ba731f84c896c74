// The structure of an .onnx file, read from the bytes alone: what the library says of a model is compared with it. Field
// numbers are those of onnx/onnx.proto.

/** The fields of a message: for each field number its values, numbers or bytes, in their order. */
function fields(bytes) {
  const found = new Map();
  let position = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[position++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(value);
    }
  };
  const take = (length) => {
    if (position + length > bytes.length) throw new Error('the file ends within a field');
    position += length;
    return bytes.subarray(position - length, position);
  };
  while (position < bytes.length) {
    const tag = varint();
    const read = { 0: varint, 1: () => take(8), 2: () => take(varint()), 5: () => take(4) }[tag % 8];
    if (read === undefined) throw new Error(`wire type ${tag % 8}`);
    if (!found.has(tag >> 3)) found.set(tag >> 3, []);
    found.get(tag >> 3).push(read());
  }
  return (number) => found.get(number) ?? [];
}

const decoder = new TextDecoder();
const texts = (list) => list.map((bytes) => decoder.decode(bytes));
const text = (list) => texts(list).at(-1) ?? '';

function readNode(bytes) {
  const node = fields(bytes);
  const graphs = node(5)
    .map(fields)
    .flatMap((attribute) => attribute(6).map((graph) => [text(attribute(1)), readGraph(graph)]));
  const plain = {
    operator: text(node(4)),
    domain: text(node(7)),
    name: text(node(3)),
    inputs: texts(node(1)),
    outputs: texts(node(2)),
  };
  return graphs.length === 0 ? plain : { ...plain, graphs: Object.fromEntries(graphs) };
}

const readGraph = (bytes) => fields(bytes)(1).map(readNode);

/** The nodes of a model's main graph, as nested as they are. */
export const nodesOf = (file) => readGraph(fields(file)(7)[0]);
