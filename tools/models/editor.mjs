// Changes the declarations of a model's inputs in the bytes of its file. A tool that cannot fix sizes or values then gets a file
// in which they are fixed.
import { bytes, fields, fieldsOf, numbers, texts } from '../../shared/onnx.js';
import { initializer, input } from './writer.mjs';

const nameOf = (value) => texts(fields(value)(numbers.value.name))[0];

/**
 * @param shapes - dims by the names of inputs, with their type: { x: ['float32', [1, 3, 48, 192]] }
 * @param values - { type, dims, data } by the names of inputs, which become initializers
 */
export function withInputs(file, shapes, values = {}) {
  const editGraph = (graph) =>
    [...fieldsOf(graph)].map(({ number, whole, value }) => {
      if (number !== numbers.graph.input) return whole;
      const name = nameOf(value);
      if (values[name] !== undefined) {
        const { type, dims, data } = values[name];
        return initializer(name, dims, data, type);
      }
      return shapes[name] === undefined ? whole : input(name, ...shapes[name]);
    });
  const edited = [...fieldsOf(file)].map(({ number, whole, value }) =>
    number === numbers.model.graph ? bytes(number, editGraph(value)) : whole,
  );
  return Buffer.concat(edited);
}
