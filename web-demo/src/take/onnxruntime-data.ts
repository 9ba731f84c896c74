// The elements of a tensor as onnxruntime-web takes them, in JavaScript.
import { generate } from '../values/generate.js';
import { elementList, literal } from './javascript.js';
import { listLines } from './lines.js';
import { float16Bits, nibbles } from './packed.js';
import { mostInline, type Source, storedFile } from './source.js';

/** The arrays of the types that onnxruntime-web has tensors of. */
const arrays = new Map<string, string>([
  ['float32', 'Float32Array'],
  ['float64', 'Float64Array'],
  ['float16', 'Uint16Array'],
  ['int8', 'Int8Array'],
  ['uint8', 'Uint8Array'],
  ['int16', 'Int16Array'],
  ['uint16', 'Uint16Array'],
  ['int32', 'Int32Array'],
  ['uint32', 'Uint32Array'],
  ['int64', 'BigInt64Array'],
  ['uint64', 'BigUint64Array'],
  ['bool', 'Uint8Array'],
  ['int4', 'Uint8Array'],
  ['uint4', 'Uint8Array'],
]);

export function hasTensors(type: string): boolean {
  return type === 'string' || arrays.has(type);
}

/** Functions that the code of `elementsCode` may call. */
export const helpers = {
  elements: `/** The elements of a .npy file as the playground writes it. */
async function elements(file) {
  const buffer = await (await fetch(file)).arrayBuffer();
  return buffer.slice(10 + new DataView(buffer).getUint16(8, true));
}
`,
  strings: `/** Strings as .npy files have them: code points of four bytes, zeros at the end. */
function strings(buffer, count) {
  const codes = new Uint32Array(buffer);
  const length = codes.length / count;
  return Array.from({ length: count }, (_, i) =>
    String.fromCodePoint(...codes.subarray(i * length, (i + 1) * length)).replace(/\\0+$/, ''),
  );
}
`,
  nibbles: `/** Two elements in a byte, the first one low. */
function nibbles(values) {
  return Uint8Array.from({ length: Math.ceil(values.length / 2) }, (_, i) => {
    return (values[2 * i] & 15) | ((values[2 * i + 1] & 15) << 4);
  });
}
`,
};

/** The values of a list as their array holds them. */
function words(type: string, list: readonly unknown[]): string[] {
  const hexadecimal = (bits: number, digits: number): string => `0x${bits.toString(16).padStart(digits, '0')}`;
  if (type === 'float16') return list.map((value) => hexadecimal(float16Bits(Number(value)), 4));
  if (type === 'int4' || type === 'uint4') {
    return Array.from(nibbles(list.map(Number)), (byte) => hexadecimal(byte, 2));
  }
  if (type === 'int64' || type === 'uint64') return list.map((value) => `${value}n`);
  return list.map((value) => literal(typeof value === 'boolean' ? Number(value) : value));
}

/** Types whose arrays hold bits: their random elements and ranges are written down, or stored when they are many. */
function withBits(source: Source): Source {
  const { type, row, size, elements } = source;
  const isRule = elements.kind === 'random' || elements.kind === 'range';
  if (!isRule || (type !== 'float16' && row.bits >= 8)) return source;
  if (size > mostInline) return { ...source, elements: { kind: 'stored', name: undefined } };
  return { ...source, elements: { kind: 'list', list: generate(elements, row, size) as number[] } };
}

/** An expression for the elements, and the line to be said before it. `name` is what they are called when they are stored. */
export function elementsCode(given: Source, name: string): { readonly code: string; readonly comment?: string } {
  const source = withBits(given);
  const { type, row, size, elements } = source;
  const array = arrays.get(type);
  if (elements.kind === 'stored') {
    if (!hasTensors(type)) return { code: '[]' };
    const opened: Source = { ...source, elements: { kind: 'stored', name: undefined } }; // whatever wrote its header
    const { file, comment } = storedFile(opened, name, '.npy');
    const loaded = `await elements(${JSON.stringify(file)})`;
    if (type === 'string') return { code: `strings(${loaded}, ${size})`, comment };
    return { code: row.bits < 8 ? `nibbles(new Uint8Array(${loaded}))` : `new ${array}(${loaded})`, comment };
  }
  const list = elementList(source, '  ') as string;
  if (array === undefined) return { code: list };
  if (elements.kind === 'list') return { code: listLines(`${array}.of(`, words(type, elements.list), ')', '  ') };
  return { code: `${array}.from(${list}${array.startsWith('Big') ? ', BigInt' : ''})` };
}
