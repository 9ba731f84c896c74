// The operators without a library: a new typed array, written by `fill` or by loops over the axes. Also runs in browsers.
import { elementTypes, fillData, inputData, sizeOf } from './element-types.mjs';

/** Strides of `inputDims` along the axes of `outputDims`, in elements: 0 where the input is stretched. */
function broadcastStrides(inputDims, outputDims) {
  const strides = Array(outputDims.length).fill(0);
  let stride = 1;
  for (let i = inputDims.length - 1, axis = outputDims.length - 1; i >= 0; i--, axis--) {
    if (inputDims[i] !== 1) strides[axis] = stride;
    stride *= inputDims[i];
  }
  return strides;
}

/** Loops over the last axis; the other axes are counters that advance from the last to the first. */
function broadcast(data, inputDims, outputDims) {
  const result = new data.constructor(sizeOf(outputDims));
  const strides = broadcastStrides(inputDims, outputDims);
  const last = outputDims.length - 1;
  const columns = outputDims[last];
  const step = strides[last];
  const position = Array(outputDims.length).fill(0);
  let from = 0;
  for (let to = 0; to < result.length; ) {
    for (let i = 0; i < columns; i++) result[to++] = data[from + i * step];
    for (let axis = last - 1; axis >= 0; axis--) {
      from += strides[axis];
      if (++position[axis] < outputDims[axis]) break;
      position[axis] = 0;
      from -= strides[axis] * outputDims[axis];
    }
  }
  return result;
}

/** A function that makes the result of a case as a new typed array. */
export function plainLoops({ operator, type, inputDims, outputDims }) {
  const { array, lanes } = elementTypes[type];
  if (operator === 'ConstantOfShape') {
    const [value] = fillData(type);
    const size = sizeOf(outputDims);
    return () => new array(size).fill(value);
  }
  // The two parts of a complex number are an extra axis.
  const dimsOf = (dims) => (lanes === 1 ? dims : [...dims, lanes]);
  const data = inputData(type, inputDims);
  const from = dimsOf(inputDims);
  const to = dimsOf(outputDims);
  return () => broadcast(data, from, to);
}
