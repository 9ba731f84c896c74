// The names of a model's inputs, read from its file. Field numbers come from onnx/onnx.proto.

const graphField = 7;
const inputField = 11;
const nameField = 1;

/** The length-delimited fields of a number in a message. Other kinds of fields are passed over. */
function fields(message: Uint8Array, wanted: number): Uint8Array[] {
  const found: Uint8Array[] = [];
  let place = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message[place++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (place < message.length) {
    const tag = varint();
    const kind = tag % 8;
    if (kind === 2) {
      const length = varint();
      if (Math.floor(tag / 8) === wanted) found.push(message.subarray(place, place + length));
      place += length;
    } else if (kind === 0) varint();
    else place += kind === 1 ? 8 : 4;
  }
  return found;
}

/** The names of the inputs of a graph in a ModelProto that Broadloom wrote. */
export function modelInputs(model: Uint8Array): string[] {
  const decoder = new TextDecoder();
  return fields(model, graphField)
    .flatMap((graph) => fields(graph, inputField))
    .flatMap((info) => fields(info, nameField))
    .map((name) => decoder.decode(name));
}
