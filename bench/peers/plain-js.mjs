// What one writes without a library: a new typed array, filled by loops over indices. Its results are what the others are
// compared with.
import { elementTypes, fillData, inputData, sizeOf } from '../element-types.mjs';
import { timed } from '../measure.mjs';
import { digestOf } from './peer.mjs';

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

/** The last axis is a loop, the others are counters that are advanced from the last to the first. */
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

export const plainJs = {
  name: 'plain JS',
  version: process.versions.v8,
  prepare({ operator, type, inputDims, outputDims }) {
    const { array, lanes } = elementTypes[type];
    // The two parts of a complex number are one more axis.
    const dimsOf = (dims) => (lanes === 1 ? dims : [...dims, lanes]);
    let make;
    if (operator === 'ConstantOfShape') {
      const [value] = fillData(type);
      const size = sizeOf(outputDims);
      make = () => new array(size).fill(value);
    } else {
      const data = inputData(type, inputDims);
      const from = dimsOf(inputDims);
      const to = dimsOf(outputDims);
      make = () => broadcast(data, from, to);
    }
    return { time: timed(() => make()[0]), digest: () => digestOf(make()), dispose() {} };
  },
};
