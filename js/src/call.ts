import type { Context } from './context.js';
import { freeAll, handleOf, isTensorLike } from './elements.js';
import { invalidArgument, OnnxError } from './error.js';
import { type Memory, show } from './memory.js';
import type { Attributes, OperatorOptions, ShapeLike, SparseTensorLike, TensorLike } from './types.js';

/**
 * What an operator takes as input: a tensor, a list of integers for an int64 tensor with one axis, or, for an optional
 * input that is left out, `null` or `undefined`.
 */
export type OperatorInput = TensorLike | ShapeLike | null | undefined;

/** An input as it is passed: the handle of a tensor, 0 for one that is left out, or a list of integers. */
type Operand = number | ArrayLike<number | bigint>;

/** The order is that of Kind in bindings/attributes.cpp. */
const Kind = { number: 0, bigint: 1, string: 2, tensor: 3, numbers: 4, bigints: 5, strings: 6, sparse: 7 } as const;

/** An attribute as it is passed: what the user gave has been read, and its tensors have handles. */
interface Argument {
  readonly name: string;
  readonly kind: (typeof Kind)[keyof typeof Kind];
  readonly value: number | bigint | string | readonly unknown[];
  readonly sparse?: { readonly indices: number; readonly dims: readonly number[] };
}

function operatorNumber(context: Context, name: string): number {
  const known = context.operatorNumbers.get(name);
  if (known !== undefined) return known;
  const { memory } = context;
  memory.begin();
  memory.string(String(name));
  const number = memory.glue.findOperator();
  if (number < 0) memory.check(number);
  context.operatorNumbers.set(name, number);
  return number;
}

/** @internal */
export function checkedOpset(opset: unknown): number {
  if (!Number.isSafeInteger(opset) || (opset as number) < 1)
    throw invalidArgument(`opset is ${show(opset)}, wanted a whole number from 1`);
  return opset as number;
}

/** What a call results in. The order is that of Wanted in bindings/operator_exports.cpp. @internal */
export const Wanted = { outputs: 0, files: 1 } as const;

/**
 * Runs one operator. `context` takes its results next. All values that the user gave are read before the first argument
 * is written. `inputs` is used up.
 *
 * @internal
 */
export function callOperator(
  context: Context,
  name: string,
  inputs: OperatorInput[],
  attributes: Attributes | null | undefined,
  options: OperatorOptions | null | undefined,
  wanted: number = Wanted.outputs,
): void {
  const operator = operatorNumber(context, name);
  const opset = options?.opset === undefined ? context.opset : checkedOpset(options.opset);
  const temporaries: number[] = [];
  const { memory } = context;
  try {
    const operands = readOperands(context, inputs, temporaries);
    const prepared = attributes == null ? noArguments : prepareAttributes(context, attributes, temporaries);
    memory.begin();
    memory.number(operands.length);
    for (let i = 0; i < operands.length; i++) {
      const operand = operands[i] as Operand;
      if (typeof operand === 'number') memory.number(operand);
      else {
        memory.number(-1);
        memory.integers(operand, 'input ', i);
      }
    }
    memory.number(prepared.length);
    for (let i = 0; i < prepared.length; i++) writeArgument(memory, prepared[i] as Argument);
    memory.check(memory.glue.callOperator(operator, opset, wanted));
  } catch (error) {
    if (!(error instanceof OnnxError) || error.operator !== undefined) throw error;
    throw new OnnxError(error.code, `${name}: ${error.message}`, { operator: name, opset });
  } finally {
    if (temporaries.length > 0) freeAll(context, temporaries);
  }
}

function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !('getInt8' in value));
}

/** Puts each operand in the place of its input: a list of its own would take 10 ns more. */
function readOperands(context: Context, inputs: OperatorInput[], temporaries: number[]): Operand[] {
  const operands: (OperatorInput | Operand)[] = inputs;
  for (let i = 0; i < operands.length; i++) {
    const input = operands[i];
    // A list that may lie in the heap is read before other inputs, copied in, make the heap grow and detach it.
    if (ArrayBuffer.isView(input) && isList(input)) operands[i] = Array.from(input as ArrayLike<number>);
  }
  for (let i = 0; i < operands.length; i++)
    operands[i] = operandOf(context, operands[i] as OperatorInput, i, temporaries);
  return operands as Operand[];
}

function operandOf(context: Context, input: OperatorInput, index: number, temporaries: number[]): Operand {
  if (input === null || input === undefined) return 0;
  if (Array.isArray(input)) return input;
  if (isTensorLike(input)) return handleOf(context, input, temporaries);
  throw invalidArgument(`input ${index} is ${show(input)}, wanted a tensor`);
}

const noArguments: readonly Argument[] = [];

function prepareAttributes(context: Context, attributes: Attributes, temporaries: number[]): readonly Argument[] {
  let prepared: Argument[] | undefined;
  for (const name of Object.keys(attributes)) {
    const value = attributes[name];
    if (value === undefined) continue;
    const argument = prepareAttribute(context, name, value, temporaries);
    // Most calls have one: an array made with its only element is 150 bytes smaller than one that it is pushed to.
    if (prepared === undefined) prepared = [argument];
    else prepared.push(argument);
  }
  return prepared ?? noArguments;
}

function prepareAttribute(context: Context, name: string, value: unknown, temporaries: number[]): Argument {
  if (typeof value === 'number') return { name, kind: Kind.number, value };
  if (typeof value === 'bigint') return { name, kind: Kind.bigint, value: checkedBigint(name, value) };
  if (typeof value === 'string') return { name, kind: Kind.string, value };
  if (isTensorLike(value)) return { name, kind: Kind.tensor, value: handleOf(context, value, temporaries) };
  if (isList(value)) return prepareList(name, Array.from(value));
  const { values, indices, dims } = (value ?? {}) as Partial<SparseTensorLike>;
  if (!isTensorLike(values) || !isList(dims)) {
    throw invalidArgument(
      `attribute '${name}' is ${show(value)}, wanted a number, a string, a list of them or a tensor`,
    );
  }
  const sizes = Array.from(dims);
  const handle = handleOf(context, values, temporaries);
  const indicesHandle = indices === undefined ? 0 : handleOf(context, indices, temporaries);
  return { name, kind: Kind.sparse, value: handle, sparse: { indices: indicesHandle, dims: sizes } };
}

function prepareList(name: string, value: readonly unknown[]): Argument {
  if (value.every((item) => typeof item === 'number')) return { name, kind: Kind.numbers, value };
  if (value.every((item) => typeof item === 'string')) return { name, kind: Kind.strings, value };
  if (value.every((item) => typeof item === 'bigint' || Number.isSafeInteger(item)))
    return { name, kind: Kind.bigints, value: value.map((item) => checkedBigint(name, BigInt(item as number))) };
  throw invalidArgument(`attribute '${name}' is a list of other things than numbers or strings`);
}

function checkedBigint(name: string, value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value)
    throw invalidArgument(`attribute '${name}' is ${value}n, which int64 cannot hold`);
  return value;
}

function writeArgument(memory: Memory, { name, kind, value, sparse }: Argument): void {
  memory.string(name);
  memory.number(kind);
  if (typeof value === 'object') {
    memory.number(value.length);
    for (const item of value) writeValue(memory, item);
  } else {
    writeValue(memory, value);
  }
  if (sparse !== undefined) {
    memory.number(sparse.indices);
    memory.integers(sparse.dims, 'dims');
  }
}

function writeValue(memory: Memory, value: unknown): void {
  if (typeof value === 'number') memory.number(value);
  else if (typeof value === 'bigint') memory.bigint(value);
  else memory.string(value as string);
}
