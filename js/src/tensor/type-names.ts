import { didYouMean } from '../../../shared/names.js';
import { dtypes } from './types.js';

/** The names of types in C, NumPy, PyTorch and others that are not near to ONNX's, in small letters. */
const otherNames: { readonly [name: string]: string } = {
  byte: 'uint8',
  cdouble: 'complex128',
  cfloat: 'complex64',
  char: 'int8',
  double: 'float64',
  f2: 'float16',
  f4: 'float32',
  f8: 'float64',
  half: 'float16',
  i4: 'int32',
  i8: 'int64',
  int: 'int32',
  long: 'int64',
  short: 'int16',
  single: 'float32',
  u1: 'uint8',
};

/** `: did you mean 'float32'?` for `torch.float32`, `np.float32`, `tensor(float)`, `float32[]`, `<f4`, `Float32Array`, 1 ... */
export function typeAdvice(type: unknown): string {
  const text = typeof type === 'function' ? type.name.replace(/Array$/, '') : String(type);
  const row = dtypes.find(({ id }) => id === type);
  const bare = text
    .toLowerCase()
    .replace(/^.*[.(]|(\[.*\]|\))$/g, '')
    .replace(/\W|_|tensor$/g, '')
    .replace(/^fp(?=..)/, 'f');
  const names = dtypes.map(({ name }) => name);
  const other = Object.hasOwn(otherNames, bare)
    ? otherNames[bare]
    : names.find((name) => name.replace(/loat|(u)int|nt/, '$1') === bare); // f32, bf16, i64, u8
  return didYouMean(row?.name ?? other ?? bare, names);
}
