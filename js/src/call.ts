import type { Context } from './context.js';
import { freeAll, handleOf, isTensorLike } from './elements.js';
import { invalidArgument, OnnxError } from './error.js';
import { type Memory, show } from './memory.js';
import type { Tensor } from './tensor.js';
import type { Attributes, OperatorOptions, ShapeLike, SparseTensorLike, TensorLike } from './types.js';

/** What an operator takes as input: a tensor, a list of integers for an int64 tensor with one axis, or nothing. */
export type OperatorInput = TensorLike | ShapeLike | null | undefined;

/** An input as it is passed: the handle of a tensor, 0 for one that is left out, or a list of integers. */
type Operand = number | ArrayLike<number | bigint>;

/** Writes one argument of a call to the page. */
type Write = (memory: Memory) => void;

/** The order is that of Kind in bindings/attributes.cpp. */
const kinds = ['number', 'bigint', 'string', 'tensor', 'numbers', 'bigints', 'strings', 'sparse'] as const;

const operatorNumbers = new WeakMap<Context, Map<string, number>>();

function operatorNumber(context: Context, name: string): number {
  let known = operatorNumbers.get(context);
  if (known === undefined) operatorNumbers.set(context, (known = new Map()));
  let number = known.get(name);
  if (number === undefined) {
    const { memory } = context;
    memory.begin();
    memory.string(String(name));
    number = memory.glue.findOperator();
    if (number < 0) memory.check(number);
    known.set(name, number);
  }
  return number;
}

export function checkedOpset(opset: unknown): number {
  if (!Number.isSafeInteger(opset) || (opset as number) < 1)
    throw invalidArgument(`opset is ${show(opset)}, wanted a whole number from 1`);
  return opset as number;
}

/** Runs one operator. All values that the user gave are read before the first argument is written. */
export function callOperator(
  context: Context,
  name: string,
  inputs: readonly OperatorInput[],
  attributes: Attributes | null | undefined,
  options: OperatorOptions | null | undefined,
): Tensor[] {
  if (!Array.isArray(inputs)) throw invalidArgument(`${name}: inputs are ${show(inputs)}, wanted a list`);
  const operator = operatorNumber(context, name);
  const opset = options?.opset === undefined ? context.opset : checkedOpset(options.opset);
  const temporaries: number[] = [];
  const { memory } = context;
  try {
    const operands: Operand[] = [];
    const read = inputs.length > 1 ? inputs.map(readView) : inputs;
    for (let i = 0; i < read.length; i++) operands.push(operandOf(context, read[i], i, temporaries));
    const writes = attributes == null ? undefined : prepareAttributes(context, attributes, temporaries);
    memory.begin();
    memory.number(operands.length);
    for (let i = 0; i < operands.length; i++) {
      const operand = operands[i] as Operand;
      if (typeof operand === 'number') memory.number(operand);
      else {
        memory.number(-1);
        memory.integers(operand, `input ${i}`);
      }
    }
    memory.number(writes?.length ?? 0);
    if (writes !== undefined) for (const write of writes) write(memory);
    memory.check(memory.glue.callOperator(operator, opset));
    return context.takeTensors();
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

/** A list that may lie in the heap is read before other inputs, copied in, make the heap grow and detach it. */
function readView(input: OperatorInput): OperatorInput {
  return ArrayBuffer.isView(input) && isList(input) ? Array.from(input as ArrayLike<number>) : input;
}

function operandOf(context: Context, input: OperatorInput, index: number, temporaries: number[]): Operand {
  if (input === null || input === undefined) return 0;
  if (isList(input)) return input as ArrayLike<number>;
  if (isTensorLike(input)) return handleOf(context, input, temporaries);
  throw invalidArgument(`input ${index} is ${show(input)}, wanted a tensor`);
}

function prepareAttributes(context: Context, attributes: Attributes, temporaries: number[]): Write[] {
  const writes: Write[] = [];
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    const write = prepareAttribute(context, name, value, temporaries);
    writes.push((memory) => {
      memory.string(name);
      write(memory);
    });
  }
  return writes;
}

function prepareAttribute(context: Context, name: string, value: unknown, temporaries: number[]): Write {
  const as = (kind: (typeof kinds)[number], write: Write): Write => {
    return (memory) => {
      memory.number(kinds.indexOf(kind));
      write(memory);
    };
  };
  if (typeof value === 'number') return as('number', (memory) => memory.number(value));
  if (typeof value === 'bigint') return as('bigint', (memory) => memory.bigint(checkedBigint(name, value)));
  if (typeof value === 'string') return as('string', (memory) => memory.string(value));
  if (isList(value)) return prepareList(name, Array.from(value), as);
  if (isTensorLike(value)) {
    const handle = handleOf(context, value, temporaries);
    return as('tensor', (memory) => memory.number(handle));
  }
  const { values, indices, dims } = (value ?? {}) as Partial<SparseTensorLike>;
  if (!isTensorLike(values) || !isList(dims)) {
    throw invalidArgument(
      `attribute '${name}' is ${show(value)}, wanted a number, a string, a list of them or a tensor`,
    );
  }
  const sizes = Array.from(dims);
  const handle = handleOf(context, values, temporaries);
  const indicesHandle = indices === undefined ? 0 : handleOf(context, indices, temporaries);
  return as('sparse', (memory) => {
    memory.number(handle);
    memory.number(indicesHandle);
    memory.integers(sizes, 'dims');
  });
}

function prepareList(
  name: string,
  list: readonly unknown[],
  as: (kind: (typeof kinds)[number], write: Write) => Write,
): Write {
  const each = (use: (memory: Memory, value: never) => void): Write => {
    return (memory) => {
      memory.number(list.length);
      for (const value of list) use(memory, value as never);
    };
  };
  if (list.every((value) => typeof value === 'number'))
    return as(
      'numbers',
      each((memory, value) => memory.number(value)),
    );
  if (list.every((value) => typeof value === 'string'))
    return as(
      'strings',
      each((memory, value) => memory.string(value)),
    );
  if (list.every((value) => typeof value === 'bigint' || Number.isSafeInteger(value))) {
    return as(
      'bigints',
      each((memory, value) => memory.bigint(checkedBigint(name, BigInt(value)))),
    );
  }
  throw invalidArgument(`attribute '${name}' is a list of other things than numbers or strings`);
}

function checkedBigint(name: string, value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value)
    throw invalidArgument(`attribute '${name}' is ${value}n, which int64 cannot hold`);
  return value;
}
