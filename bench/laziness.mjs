// The operators are O(1) until `data` is read. Measures calls whose results would be huge, and checks the error of reading one.
import { measureAlone } from './measure.mjs';

const rows = 1000;
const columns = 1_000_000;

export async function measureLaziness(ops, effort) {
  const column = ops.tensor('float64', new Float64Array(rows), [rows, 1]);
  const small = ops.tensor('float64', [1, 2, 3], [3, 1]);
  const huge = ops.expand(column, [rows, columns]);
  const value = ops.tensor('float64', [1.5], [1]);
  const dispose = (tensor) => {
    tensor.dispose();
    return 1;
  };
  const calls = [
    ['Expand [3,1] -> [3,6]', () => dispose(ops.expand(small, [3, 6]))],
    ['Expand [1000,1] -> [1000,1000000]', () => dispose(ops.expand(column, [rows, columns]))],
    ['ConstantOfShape [1000,1000000]', () => dispose(ops.constantOfShape([rows, columns], { value }))],
    ['Shape of [1000,1000000]', () => dispose(ops.shape(huge))],
    ['Constant, a list of 2', () => dispose(ops.constant({ value_floats: [1, 2] }))],
  ];
  const results = [];
  for (const [name, call] of calls) results.push({ name, time: await measureAlone(call, effort) });
  let error;
  try {
    huge.data;
  } catch ({ name, code, message }) {
    error = { name, code, message };
  }
  for (const tensor of [column, small, huge, value]) tensor.dispose();
  return { rows: results, reading: error };
}
