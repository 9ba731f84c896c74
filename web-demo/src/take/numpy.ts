// Values in Python, as NumPy arrays.
import type { DataType } from 'broadloom';
import { randomRule } from '../values/random.js';
import { quoted } from '../values/visible.js';
import { listLines } from './lines.js';
import { type Source, type Storage, storedFile } from './source.js';

/** Names in ml_dtypes, which has the types that NumPy lacks. */
const mlDtypes: { readonly [type: string]: string } = {
  bfloat16: 'bfloat16',
  float8e4m3fn: 'float8_e4m3fn',
  float8e4m3fnuz: 'float8_e4m3fnuz',
  float8e5m2: 'float8_e5m2',
  float8e5m2fnuz: 'float8_e5m2fnuz',
  float8e8m0: 'float8_e8m0fnu',
  float4e2m1: 'float4_e2m1fn',
  uint4: 'uint4',
  int4: 'int4',
  uint2: 'uint2',
  int2: 'int2',
};

/** An element type as a dtype of NumPy or of ml_dtypes. */
export function dtype(type: DataType): string {
  const ml = mlDtypes[type];
  if (ml !== undefined) return `ml_dtypes.${ml}`;
  return type === 'string' ? 'object' : type === 'bool' ? 'np.bool_' : `np.${type}`;
}

/** An element type in TensorProto.DataType. */
export function tensorProtoType(type: DataType): string {
  const name = type === 'float32' ? 'FLOAT' : type === 'float64' ? 'DOUBLE' : type.toUpperCase();
  return `TensorProto.${name}`;
}

/** A float, so that Python and ONNX's helpers take it for one. */
export function float(value: number): string {
  if (Number.isNaN(value)) return 'np.nan';
  if (!Number.isFinite(value)) return value < 0 ? '-np.inf' : 'np.inf';
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** A number as short as it can be: Python's integers have no negative zero. */
function number(value: number): string {
  return Number.isInteger(value) && !Object.is(value, -0) ? String(value) : float(value);
}

/** 1+2j, unless Python would compute it to something else. */
function complex(real: number, imaginary: number): string {
  const isPlain = (value: number): boolean => Number.isFinite(value) && !Object.is(value, -0);
  if (!isPlain(real) || !isPlain(imaginary)) return `complex(${float(real)}, ${float(imaginary)})`;
  return `${real}${imaginary < 0 ? '' : '+'}${imaginary}j`;
}

function literals(list: readonly unknown[], kind: string): string[] {
  if (kind === 'complex') {
    const numbers = list as number[];
    return Array.from({ length: list.length / 2 }, (_, i) =>
      complex(numbers[2 * i] as number, numbers[2 * i + 1] as number),
    );
  }
  return list.map((value) => {
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    if (typeof value === 'bigint') return String(value);
    return typeof value === 'string' ? quoted(value) : number(value as number);
  });
}

/** The generator that arrays of random elements call. */
export const randomFunction = `def random(seed, count):
    """The first numbers of a seed (Mulberry32), 32 bits each."""
    mask = np.uint64(0xFFFFFFFF)
    state = (np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x6D2B79F5)) & mask
    mixed = ((state ^ (state >> np.uint64(15))) * (state | np.uint64(1))) & mask
    mixed = ((mixed + (mixed ^ (mixed >> np.uint64(7))) * (mixed | np.uint64(61))) ^ mixed) & mask
    return mixed ^ (mixed >> np.uint64(14))

`;

function randomArray({ row, size, type }: Source, seed: number): string {
  const { scale, unit, offset } = randomRule(row);
  const bits = `random(${seed >>> 0}, ${row.kind === 'complex' ? 2 * size : size})`;
  if (unit < 1) {
    const fraction = `(np.floor(${bits} * 2.0**${Math.log2(scale)}) * 2.0**${Math.log2(unit)})`;
    if (row.kind !== 'complex') return `${fraction}.astype(${dtype(type)})`;
    return `${fraction}.astype(${type === 'complex64' ? 'np.float32' : 'np.float64'}).view(${dtype(type)})`;
  }
  const whole = `np.floor(${bits} * ${scale * 2 ** 32} / 2**32)${offset === 0 ? '' : offset < 0 ? ` - ${-offset}` : ` + ${offset}`}`;
  if (row.kind !== 'string') return `(${whole}).astype(${dtype(type)})`;
  return `np.array([chr(int(code)) for code in ${whole}], dtype=object)`;
}

/** Files that Python reads. */
export const pythonFiles = /\.(?:npy|pb)$/;

/** A tensor as an expression. */
export function array(source: Source, storage: Storage, indent: string): string {
  const { type, row, dims, size, elements } = source;
  const reshape = (count: number): string =>
    dims.length === 1 && dims[0] === count ? '' : `.reshape([${dims.join(', ')}])`;
  switch (elements.kind) {
    case 'list': {
      const words = literals(elements.list, row.kind);
      return `${listLines('np.array([', words, `], dtype=${dtype(type)})`, indent)}${reshape(words.length)}`;
    }
    case 'random':
      return `${randomArray(source, elements.seed)}${reshape(size)}`;
    case 'range': {
      const { start, step } = elements;
      if (step === 0) return `np.full([${dims.join(', ')}], ${number(start)}, dtype=${dtype(type)})`;
      return `(${number(start)} + ${number(step)} * np.arange(${size})).astype(${dtype(type)})${reshape(size)}`;
    }
    default: {
      const { file } = storedFile(source, storage, pythonFiles);
      if (!file.endsWith('.npy')) return `numpy_helper.to_array(onnx.load_tensor(${quoted(file)}))`;
      return `np.load(${quoted(file)})${type === 'string' ? '.astype(object)' : ''}`;
    }
  }
}
