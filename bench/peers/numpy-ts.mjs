// Measured: np.full, or np.broadcast_to and copy(), reading `data`, dispose().
import * as np from 'numpy-ts';
import { fillData, inputData } from '../element-types.mjs';
import { timed } from '../measure.mjs';
import { digestOf, packageVersion, Unsupported } from './peer.mjs';

const types = new Set(['uint8', 'int16', 'float16', 'float32', 'float64', 'complex128']);

/**
 * An array of numpy-ts. Arrays of float16 are Float16Array if the engine has that type; otherwise they are refused or become
 * float32.
 */
function newArray(type, dims) {
  const array = np.zeros(dims, type);
  if (array.itemsize !== array.data.BYTES_PER_ELEMENT && type !== 'complex128')
    throw new Unsupported(`no ${type} here`);
  return array;
}

export const numpyTs = {
  name: 'numpy-ts',
  version: packageVersion('numpy-ts'),
  prepare({ operator, type, inputDims, outputDims }) {
    if (!types.has(type)) throw new Unsupported(`no ${type} arrays`);
    if (type === 'float16' && typeof Float16Array === 'undefined') throw new Unsupported('float16 needs Float16Array');
    const isFill = operator === 'ConstantOfShape';
    const input = isFill ? undefined : newArray(type, inputDims);
    input?.data.set(inputData(type, inputDims));
    const [value] = fillData(type);
    const use = (read) => {
      const y = isFill ? np.full(outputDims, value, type) : np.broadcast_to(input, outputDims).copy();
      const result = read(y.data);
      y.dispose();
      return result;
    };
    const first = (data) => data[0];
    return { time: timed(() => use(first)), digest: () => use(digestOf), dispose: () => input?.dispose() };
  },
};
