import { OnnxError } from '../basics/error.js';
import type { Context } from '../calls/context.js';
import type { TensorMessage } from '../tensor/messages.js';
import type { DataType, SparseTensorLike } from '../tensor/types.js';
import type { ValueInfo } from './value-info.js';

/** Stands for a value that a description does not have. */
export interface AttributeMark {
  /** The kind of the value. */
  readonly type: 'graph' | 'graphs' | 'tensors' | 'sparse_tensors' | 'type_proto' | 'type_protos';
  /** The inputs of a graph, as it declares them, without those that have a default. Absent for what is not a graph. */
  readonly inputs?: readonly ValueInfo[];
  /** The outputs of the graph. */
  readonly outputs?: readonly ValueInfo[];
}

/**
 * The value of an attribute. A number is the shortest that is the same float32, or an integer, which is a bigint from 2^53. A
 * tensor has `type`, `dims` and `data`, a copy in the array of its type. A type, a graph, and lists of these have only a mark
 * that names their kind. The mark of a graph has its inputs and outputs; its nodes are in {@link ModelNode.graphs}.
 */
export type NodeAttribute =
  | number
  | bigint
  | string
  | readonly (number | bigint)[]
  | readonly string[]
  | TensorMessage
  | SparseTensorLike
  | AttributeMark;

/** A tensor in a description: where its elements are, 0 where there are none. */
interface Stored {
  readonly type: DataType;
  readonly dims: readonly number[];
  readonly address: number;
}

/** An attribute as bindings/descriptions/stored_descriptions.cpp writes it. */
export interface DescribedAttribute {
  /** Name of the attribute. */
  readonly name: string;
  /** AttributeProto.AttributeType. */
  readonly kind: string;
  /** The value, as JSON has it. */
  readonly value: unknown;
}

/** Where elements are read from: fails when the model was disposed of. @internal */
export interface Source {
  readonly context: Context;
  readonly check: () => void;
}

/** The most elements that are read with the description. Others are read when they are asked for. */
const mostRead = 256;

/** The shortest number that is the same float32. */
function shortest(value: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

/** JSON has a text for an integer from 2^53, and for a float that is not finite. */
const integer = (value: unknown) => (typeof value === 'string' ? BigInt(value) : (value as number));
const float = (value: unknown) => shortest(Number(value));
const narrow = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

function elementsOf({ context, check }: Source, { address }: Stored): TensorMessage['data'] {
  check();
  if (address === 0) throw new OnnxError('INVALID_MODEL', 'the elements of the attribute are in another file');
  const { memory } = context;
  memory.check(memory.glue.readStored(address));
  return context.runScope(() => context.takeOne().toArray());
}

/** A property that is computed when it is first read, or now. */
function define(on: object, name: string, read: () => unknown, now: boolean): void {
  let value: unknown = now ? read() : undefined;
  const get = () => (value ??= read());
  Object.defineProperty(on, name, now ? { value, enumerable: true } : { get, enumerable: true });
}

function tensorOf(source: Source, stored: Stored): TensorMessage {
  const { type, dims, address } = stored;
  const size = dims.reduce((product, dim) => product * dim, 1);
  const tensor = { type, dims };
  define(tensor, 'data', () => elementsOf(source, stored), address !== 0 && size <= mostRead);
  return tensor as TensorMessage;
}

function attributeOf(source: Source, kind: string, value: unknown): NodeAttribute {
  if (kind === 'INT') return integer(value);
  if (kind === 'FLOAT') return float(value);
  if (kind === 'STRING') return value as string;
  if (kind === 'TENSOR') return tensorOf(source, value as Stored);
  if (kind === 'SPARSE_TENSOR' && value !== null) {
    const { values, indices, dims } = value as { values: Stored; indices: Stored | null; dims: number[] };
    return {
      values: tensorOf(source, values),
      indices: indices && tensorOf(source, indices),
      dims,
    } as SparseTensorLike;
  }
  if (Array.isArray(value)) {
    const read = kind === 'INTS' ? integer : kind === 'FLOATS' ? float : String;
    return value.map((one) => read(one)) as readonly string[];
  }
  if (value === null || kind === 'GRAPH') return { type: kind.toLowerCase() as 'graph', ...(value as object) };
  const list = [...elementsOf(source, value as Stored)] as unknown[];
  return list.map((one) =>
    typeof one === 'bigint' ? narrow(one) : typeof one === 'number' ? shortest(one) : one,
  ) as string[];
}

/** The attributes of a node by their names. @internal */
export function attributesOf(source: Source, described: readonly DescribedAttribute[]) {
  const attributes: { readonly [name: string]: NodeAttribute } = {};
  for (const { name, kind, value } of described) {
    const isLongList = kind.endsWith('S') && !kind.endsWith('_PROTOS') && !Array.isArray(value) && value !== null;
    define(attributes, name, () => attributeOf(source, kind, value), !isLongList);
  }
  return attributes;
}
