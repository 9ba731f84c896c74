// Changes the declarations of a model's inputs in the bytes of its file. A tool that cannot fix sizes or values then gets a file
// in which they are fixed.
import { bytes, initializer, input } from './model-writer.mjs';

/** The fields of a message: number, and where field and content begin and end. Length-delimited ones have their content. */
function* fieldsOf(message) {
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(value);
    }
  };
  while (at < message.length) {
    const start = at;
    const tag = varint();
    if (tag % 8 === 0) varint();
    const length = { 0: () => 0, 1: () => 8, 2: varint, 5: () => 4 }[tag % 8]();
    const content = message.subarray(at, at + length);
    at += length;
    yield { number: tag >> 3, whole: message.subarray(start, at), content };
  }
}
const nameOf = (value) => [...fieldsOf(value)].find(({ number }) => number === 1).content.toString();

/**
 * @param shapes - dims by the names of inputs, with their type: { x: ['float32', [1, 3, 48, 192]] }
 * @param values - { type, dims, data } by the names of inputs, which become initializers
 */
export function withInputs(file, shapes, values = {}) {
  const editGraph = (graph) =>
    [...fieldsOf(graph)].map(({ number, whole, content }) => {
      if (number !== 11) return whole;
      const name = nameOf(content);
      if (values[name] !== undefined) {
        const { type, dims, data } = values[name];
        return initializer(name, dims, data, type);
      }
      return shapes[name] === undefined ? whole : input(name, ...shapes[name]);
    });
  return Buffer.concat(
    [...fieldsOf(file)].map(({ number, whole, content }) => (number === 7 ? bytes(7, editGraph(content)) : whole)),
  );
}
