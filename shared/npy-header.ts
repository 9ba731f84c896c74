// The header of NumPy's .npy format, versions 1.0 to 3.0: numpy/lib/format.py describes it.
import type { DataType } from 'broadloom';
import { NpyError } from './npy-error.js';
import { quote } from './visible.js';

export interface NpyHeader {
  /** The dtype as NumPy writes it, such as <f4. */
  readonly descr: string;
  readonly fortranOrder: boolean;
  readonly dims: number[];
  /** Where the elements begin. */
  readonly start: number;
}

const magic = '\x93NUMPY';

/** A list of numbers takes many times the memory of its text. NumPy itself wants no more than 10,000. */
const longestHeader = 2 ** 20;

export function isNpy(bytes: Uint8Array): boolean {
  return [...magic].every((character, i) => bytes[i] === character.charCodeAt(0));
}

/** One entry of the dict: its key, and a string, a bool, a tuple of whole numbers, or the beginning of a list. */
const entry = /\s*['"](\w+)['"]\s*:\s*(?:'([^']*)'|"([^"]*)"|(True|False)|\(([\d\s,L]*)\)|(\[))\s*(,|\})/y;

interface Fields {
  descr?: string | undefined;
  fortran_order?: string | undefined;
  shape?: string | undefined;
}

/** Each character is read once. */
function readFields(text: string): Fields {
  const list = /^\s*\{[^[]{0,1000}['"]descr['"]\s*:\s*\[/.exec(text); // a dtype of several fields
  if (list) throw new NpyError('npyDtype', quote(text.slice(list[0].length - 1).replace(/, 'fortran_order'.*/s, '')));
  const fields: { [name: string]: string | undefined } = {};
  const open = text.indexOf('{') + 1;
  if (open === 0 || text.slice(0, open - 1).trim() !== '') return fields;
  entry.lastIndex = open;
  for (let found = entry.exec(text); found !== null; found = entry.exec(text)) {
    const [, name = '', single, double, bool, tuple, , end] = found;
    fields[name] = single ?? double ?? bool ?? tuple;
    if (end === '}') break;
  }
  return fields;
}

export function readHeader(bytes: Uint8Array): NpyHeader {
  if (!isNpy(bytes)) throw new NpyError('noNpy');
  const [, , , , , , major = 0, minor = 0] = bytes;
  if (major < 1 || major > 3) throw new NpyError('npyVersion', `${major}.${minor}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const textStart = major === 1 ? 10 : 12;
  const length = bytes.length < textStart ? Infinity : major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const start = textStart + length;
  if (start > bytes.length) throw new NpyError('npyHeaderCut', bytes.length);
  if (length > longestHeader) throw new NpyError('npyHeader', `${length} bytes`);
  const text = new TextDecoder(major < 3 ? 'latin1' : 'utf-8').decode(bytes.subarray(textStart, start));
  const { descr, fortran_order, shape } = readFields(text);
  if (descr === undefined || fortran_order === undefined || shape === undefined)
    throw new NpyError('npyHeader', quote(text.trim()));
  return { descr, fortranOrder: fortran_order === 'True', dims: (shape.match(/\d+/g) ?? []).map(Number), start };
}

/** A header as NumPy writes it: padded so that the elements begin at a multiple of 64 bytes. */
export function writeHeader(descr: string, dims: readonly number[]): Uint8Array {
  const shape = dims.length === 1 ? `${dims[0]},` : dims.join(', ');
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape}), }`;
  const isShort = text.length < 65_400; // version 1.0 has 16 bits for the length
  const textStart = isShort ? 10 : 12;
  const length = Math.ceil((textStart + text.length + 1) / 64) * 64 - textStart;
  const lengthBytes = isShort
    ? [length & 255, length >> 8]
    : [length & 255, (length >> 8) & 255, (length >> 16) & 255, length >>> 24];
  const start = String.fromCharCode(isShort ? 1 : 2, 0, ...lengthBytes);
  const header = `${magic}${start}${text.padEnd(length - 1)}\n`;
  return Uint8Array.from(header, (character) => character.charCodeAt(0));
}

const kinds: { readonly [kind: string]: DataType } = {
  b1: 'bool',
  i1: 'int8',
  i2: 'int16',
  i4: 'int32',
  i8: 'int64',
  u1: 'uint8',
  u2: 'uint16',
  u4: 'uint32',
  u8: 'uint64',
  f2: 'float16',
  f4: 'float32',
  f8: 'float64',
  c8: 'complex64',
  c16: 'complex128',
};

export interface NpyItem {
  readonly type: DataType;
  readonly bytes: number;
  /** Bytes that are in the wrong order together; 1 when none are. */
  readonly swapped: number;
  /** For strings: code points of four bytes (U), or bytes (S). */
  readonly text: 'U' | 'S' | undefined;
}

/** The ONNX type of a dtype. */
export function itemOf(descr: string): NpyItem {
  const [, order = '', kind = '', digits = ''] = /^([<>|=]?)([biufcUS])(\d+)$/.exec(descr) ?? [];
  const big = order === '>';
  const size = Number(digits);
  if (kind === 'U') return { type: 'string', bytes: 4 * size, swapped: big ? 4 : 1, text: 'U' };
  if (kind === 'S') return { type: 'string', bytes: size, swapped: 1, text: 'S' };
  const type = kinds[`${kind}${digits}`];
  if (type === undefined) throw new NpyError('npyDtype', quote(descr));
  return { type, bytes: size, swapped: big ? (kind === 'c' ? size / 2 : size) : 1, text: undefined };
}

/** Whether NumPy has the type: of the others it keeps the bits at most. */
export function hasNumpyType(type: DataType): boolean {
  return type === 'string' || Object.values(kinds).includes(type);
}

/** Types that NumPy lacks, as `np.save` writes the arrays of ml_dtypes, and types that NumPy has under the same name. */
export function descrOf(type: DataType): string {
  const own = Object.entries(kinds).find(([, name]) => name === type)?.[0];
  if (own !== undefined) return `${/1$/.test(own) ? '|' : '<'}${own}`;
  if (type === 'bfloat16') return '<V2';
  if (/^int[24]$/.test(type)) return '|i1';
  if (/^uint[24]$/.test(type)) return '|u1';
  return '<V1';
}
