import { invalidArgument } from '../basics/error.js';
import { lengthOfList, readIntegers } from '../basics/lists.js';
import { show } from '../basics/show.js';
import {
  type Given,
  handleOf,
  isTensorLike,
  type Literal,
  literalOfArray,
  noTensor,
  readTensor,
  reasonFor,
  typeOfArray,
} from '../tensor/elements.js';
import type { Dtype, ShapeLike, TensorLike } from '../tensor/types.js';
import { OperandForm } from './bindings.generated.js';
import type { Context } from './context.js';
import type { Memory } from './memory.js';

/**
 * An input of an operator: a tensor, or a value that becomes one. A number, bigint or boolean gets the type of the other
 * operands. A list of integers becomes int64 with one axis, where the operator takes no other type. A typed array becomes a
 * tensor with one axis, of the array's type, or of int64 where the operator takes indices or counts. A list of booleans becomes
 * bool with one axis. `null` and `undefined` leave an optional input out.
 */
export type OperatorInput =
  | TensorLike
  | ShapeLike
  | number
  | bigint
  | boolean
  | readonly boolean[]
  | Float32Array
  | Float64Array
  | null
  | undefined;

/** An input that was read: a tensor, a single value, a list of values of one kind, or undefined for one that is left out. @internal */
export type Operand =
  | Given
  | Single
  | IntegersOfArray
  | readonly number[]
  | readonly bigint[]
  | readonly boolean[]
  | undefined;

type Single = number | bigint | boolean;

/** Integers of a typed array: indices and counts become int64, and other operands have the array's type. */
interface IntegersOfArray {
  readonly dtype: Dtype;
  readonly integers: readonly number[] | readonly bigint[];
}

/** Reads input number `index`. Tensors that are not of this runtime join `literals`. @internal */
export function readOperand(context: Context, input: unknown, index: number, literals: Literal[]): Operand {
  if (typeof input !== 'object') return readSingle(input, index);
  if (input === null) return undefined;
  if (Array.isArray(input)) return readListOperand(input, index);
  const tensor = readTensor(context, input, literals);
  if (tensor !== undefined) return tensor;
  const dtype = typeOfArray(input);
  if (dtype === undefined) throw noTensor(`input ${index} is `, input);
  return readArrayOperand(context, input as ArrayBufferView, dtype, index, literals);
}

function readArrayOperand(
  context: Context,
  array: ArrayBufferView,
  dtype: Dtype,
  index: number,
  literals: Literal[],
): Literal | IntegersOfArray {
  const list = array as unknown as ArrayLike<number | bigint>;
  if (dtype.array.startsWith('Big')) {
    const length = lengthOfList(list, 'input ', index);
    return { dtype, integers: Array.from({ length }, (_, i) => list[i] as bigint) };
  }
  if (dtype.kind.endsWith('integer')) return { dtype, integers: readIntegers(list, 'input ', index) };
  const literal = literalOfArray(context.memory, array, dtype);
  literals.push(literal);
  return literal;
}

function readSingle(input: unknown, index: number): Single | undefined {
  if (input === undefined || typeof input === 'number' || typeof input === 'boolean') return input;
  if (typeof input !== 'bigint') throw noTensor(`input ${index} is `, input);
  if (BigInt.asIntN(64, input) === input || BigInt.asUintN(64, input) === input) return input;
  throw invalidArgument(`input ${index} is ${show(input)}, which no integer type holds`);
}

function readListOperand(list: ArrayLike<unknown>, index: number): Operand {
  const length = lengthOfList(list, 'input ', index);
  if (typeof list[0] === 'boolean') return readBooleans(list, index);
  for (let i = 0; i < length; i++) {
    const entry = list[i];
    if (typeof entry === 'bigint') return readBigints(list, index);
    if (isTensorLike(entry)) throw invalidArgument(`input ${index} is a list of tensors, wanted one of them`);
    if (typeof entry !== 'number') break; // refused below
  }
  return readIntegers(list, 'input ', index);
}

/** A copy of a list of booleans. */
function readBooleans(list: ArrayLike<unknown>, index: number): boolean[] {
  const length = lengthOfList(list, 'input ', index);
  const booleans: boolean[] = [];
  for (let i = 0; i < length; i++) {
    const value = list[i];
    if (typeof value !== 'boolean')
      throw invalidArgument(`input ${index}: entry ${i} is ${show(value)} in a list of booleans`);
    booleans.push(value);
  }
  return booleans;
}

/** A copy of a list of integers of int64. Numbers may stand among the bigints. */
function readBigints(list: ArrayLike<unknown>, index: number): bigint[] {
  const length = lengthOfList(list, 'input ', index);
  const bigints: bigint[] = [];
  for (let i = 0; i < length; i++) {
    const value = list[i];
    const exact = typeof value === 'bigint' ? value : Number.isSafeInteger(value) ? BigInt(value as number) : undefined;
    if (exact === undefined || BigInt.asIntN(64, exact) !== exact)
      throw invalidArgument(`input ${index}: entry ${i} is ${show(value)}${reasonFor(value, 'int64')}`);
    bigints.push(exact);
  }
  return bigints;
}

/** Writes a handle, 0 for what is left out, or a form and its values. @internal */
export function writeOperand(memory: Memory, operand: Operand): void {
  if (operand === undefined) memory.number(0);
  else if (typeof operand !== 'object') writeSingle(memory, operand);
  else if (Array.isArray(operand)) writeList(memory, operand);
  else if ('integers' in operand) writeArray(memory, operand);
  else memory.number(handleOf(operand as Given));
}

function writeArray(memory: Memory, { dtype, integers }: IntegersOfArray): void {
  memory.number(OperandForm.array);
  memory.number(dtype.id);
  if (!dtype.array.startsWith('Big')) writeList(memory, integers as readonly number[]);
  else {
    memory.number(OperandForm.bigints);
    memory.number(integers.length);
    for (const value of integers) memory.bigint(value as bigint);
  }
}

function writeSingle(memory: Memory, value: Single): void {
  if (typeof value === 'bigint') {
    memory.number(OperandForm.bigint);
    memory.bigint(value);
    memory.number(value < 0n ? 1 : 0);
  } else {
    memory.number(typeof value === 'number' ? OperandForm.number : OperandForm.boolean);
    memory.number(Number(value));
  }
}

function writeList(memory: Memory, list: readonly (number | bigint | boolean)[]): void {
  if (typeof list[0] === 'bigint') {
    memory.number(OperandForm.bigints);
    memory.number(list.length);
    for (const value of list) memory.bigint(value as bigint);
  } else if (typeof list[0] === 'boolean') {
    memory.number(OperandForm.booleans);
    memory.numbers(list.map(Number));
  } else {
    memory.number(OperandForm.integers);
    memory.numbers(list as readonly number[]);
  }
}
