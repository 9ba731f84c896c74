// Models of the cases.
import { attribute, model, tensor, value } from '../../shared/onnx.js';
import { bytesOf } from '../element-types.mjs';

const modelOf = (spec) => model({ ir: 10, opset: 21, ...spec });

/** An input or output with a rank and without sizes. */
const ranked = (name, type, rank) => value(name, type, Array(rank).fill(null));

/** x, shape -> y */
export function expandModel({ type, inputDims, outputDims }) {
  return modelOf({
    nodes: [{ op: 'Expand', inputs: ['x', 'shape'], outputs: ['y'] }],
    inputs: [ranked('x', type, inputDims.length), ranked('shape', 'int64', 1)],
    outputs: [ranked('y', type, outputDims.length)],
  });
}

/** shape -> y, filled with the one element of `data` */
export function constantOfShapeModel({ type, outputDims }, data) {
  const attributes = [attribute.tensor('value', tensor(type, [1], bytesOf(data)))];
  return modelOf({
    nodes: [{ op: 'ConstantOfShape', inputs: ['shape'], outputs: ['y'], attributes }],
    inputs: [ranked('shape', 'int64', 1)],
    outputs: [ranked('y', type, outputDims.length)],
  });
}

/** Attributes of integers: INT for a number, INTS for a list. */
const attributesOf = (given) =>
  Object.entries(given).map(([name, one]) =>
    Array.isArray(one) ? attribute.ints(name, one, false) : attribute.int(name, one),
  );

/** An initializer: an int64 scalar for a number, an int64 list for a list, or { type, dims, make } like a feed. */
function initializer([name, given]) {
  if (given.make !== undefined) return tensor(given.type, given.dims, bytesOf(given.make()), name);
  const list = [given].flat();
  return tensor('int64', Array.isArray(given) ? [list.length] : [], list, name);
}

/** The model of a case that is a graph. It does not declare its output's shape and type. */
export function graphModel({ nodes, feeds, constants = {} }) {
  return modelOf({
    nodes: nodes.map(({ output, attributes, ...node }) => ({
      ...node,
      outputs: [output],
      attributes: attributesOf(attributes),
    })),
    inputs: Object.entries(feeds).map(([name, { type, dims }]) => ranked(name, type, dims.length)),
    outputs: [value(nodes.at(-1).output)],
    initializers: Object.entries(constants).map(initializer),
  });
}
