// Helpers for tests of a runtime.
import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { type DataType, type ErrorCode, type LimitName, OnnxError, type Runtime, type Tensor } from 'broadloom';
import { type Words, wordsOf } from './reference.js';
import { sampleDims, typeRow } from './types.js';

export interface Refusal {
  code: ErrorCode;
  /** Texts that the message must contain: the fault and the values. */
  says: readonly string[];
  operator?: string;
  opset?: number;
  node?: string;
  limit?: LimitName;
}

/** Does the work, which must throw an OnnxError. Returns the error. */
export function errorOf(work: () => unknown): OnnxError {
  try {
    work();
  } catch (error) {
    if (!(error instanceof OnnxError)) throw error;
    return error;
  }
  throw new Error('nothing was thrown');
}

/**
 * Does the work, which must be refused with the code and with a message that contains the values. The runtime's memory must be
 * the same before and after, and the runtime must be usable afterwards.
 */
export function expectRefusal(ops: Runtime, work: () => unknown, { code, says, ...place }: Refusal): OnnxError {
  const before = counters(ops);
  const error = errorOf(work);
  expect(counters(ops)).toEqual(before);
  expect(error).toMatchObject({ name: 'OnnxError', code, ...place });
  expect(says.filter((text) => !error.message.includes(text)).map((text) => `${text} in: ${error.message}`)).toEqual(
    [],
  );
  expectUsable(ops);
  expect(counters(ops)).toEqual(before);
  return error;
}

/** Live tensors and bytes in use; the heap may grow. */
export function counters(ops: Runtime): { liveTensors: number; bytesInUse: number } {
  const { liveTensors, bytesInUse } = ops.memory();
  return { liveTensors, bytesInUse };
}

export function expectUsable(ops: Runtime): void {
  const column = ops.tensor('int16', [3, -4], [2, 1]);
  const wide = ops.expand(column, [2, 3]);
  expect([...wide.data]).toEqual([3, 3, 3, -4, -4, -4]);
  column.dispose();
  wide.dispose();
}

/** The sample of a type as a tensor of dims [2, 3]. */
export function sampleTensor<T extends DataType>(ops: Runtime, type: T): Tensor<T> {
  return ops.tensor(type, typeRow(type).sample as never, sampleDims);
}

export function sampleWords(type: DataType): Words {
  return wordsOf({ type, dims: sampleDims, data: typeRow(type).sample });
}

/** Expects equal values. `toEqual` takes seconds for a million elements, so it is only asked where they differ. */
export function expectSame(found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted)) expect(found).toEqual(wanted);
}

/** Compares type, dims and elements bit for bit. */
export function expectWords(tensor: { type: string; dims: readonly number[]; data: unknown }, wanted: Words): void {
  expectSame(wordsOf(tensor), wanted);
}
