// The elements of a tensor as onnxruntime-web takes them, in JavaScript.
import { lieOutside, type TensorDraft } from '../drafts.js';
import { generate } from '../values/generate.js';
import { parseStrings } from '../values/parse.js';
import { quoted } from '../values/visible.js';
import { elementList, literal } from './javascript.js';
import { listLines } from './lines.js';
import { float16Bits, nibbles } from './packed.js';
import { mostInline, type Source, type Storage, sourceOf, storedFile } from './source.js';

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

/** A function that the code of `elementsCode` may call. Broadloom writes the elements at the end of a file. */
export const elementsFunction = `/** The elements of a tensor file of Broadloom: its last bytes. */
async function elements(file, bytes) {
  const buffer = await (await fetch(file)).arrayBuffer();
  return buffer.slice(buffer.byteLength - bytes);
}
`;

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

/** Strings are written down as long as the page has them: their files are not made of elements of one size. */
function allStrings({ values }: TensorDraft, { row, size }: Source): string[] | undefined {
  if (lieOutside(values)) return undefined;
  if (values.kind === 'text') return parseStrings(values.text);
  if (values.kind === 'file') return JSON.parse(new TextDecoder().decode(values.bytes)) as string[];
  return generate(values, row, size) as string[];
}

export interface ElementsCode {
  /** An expression. */
  readonly code: string;
  /** The function that it calls. */
  readonly uses?: 'random' | 'elements';
  /** To be said before it. */
  readonly comment?: string;
}

/** The elements of an input. */
export function elementsCode(draft: TensorDraft, storage: Storage): ElementsCode {
  const given = sourceOf(draft);
  const { type, row, size, elements } = withBits(given);
  const array = arrays.get(type);
  if (elements.kind === 'stored') {
    const { file, comment } = storedFile(given, storage, /^$/); // a user's file may have more data after the elements
    if (type === 'string') {
      const strings = allStrings(draft, given);
      return strings ? { code: listLines('[', strings.map(literal), ']', '  ') } : { code: '[]', comment };
    }
    if (array === undefined) return { code: '[]' };
    const bytes = Math.ceil((size * row.bits) / 8);
    return { code: `new ${array}(await elements(${quoted(file)}, ${bytes}))`, uses: 'elements', comment };
  }
  if (array !== undefined && elements.kind === 'list') {
    return { code: listLines(`${array}.of(`, words(type, elements.list), ')', '  ') };
  }
  const list = elementList(given, '  ') as string;
  const code = array === undefined ? list : `${array}.from(${list}${array.startsWith('Big') ? ', BigInt' : ''})`;
  return elements.kind === 'random' ? { code, uses: 'random' } : { code };
}
