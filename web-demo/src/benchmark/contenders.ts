// Broadloom and plain loops as contenders. Inputs and values are the same as in the repository's bench.
import type { Attributes, OperatorInput, Runtime, Tensor } from 'broadloom';
import { fillData, inputData } from '../../../bench/element-types.mjs';
import { plainLoops } from '../../../bench/loops.mjs';
import { timed } from '../../../bench/measure.mjs';
import type { Case, CaseType } from './cases.js';
import type { Contestant } from './results.js';

export interface Contender {
  readonly name: Contestant;
  /** Nanoseconds of `count` calls. */
  readonly time: BenchClock;
  /** The result of one call, to be compared before anything is timed. */
  bytes(): Promise<Uint8Array>;
  dispose(): Promise<void>;
}

export function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** A case as a call. Whoever made it disposes of `tensor`, the input or the value that it holds. */
export interface CaseCall {
  readonly operator: string;
  readonly inputs: readonly OperatorInput[];
  readonly attributes: Attributes;
  readonly tensor: Tensor<CaseType>;
}

export function callOf(ops: Runtime, { operator, type, inputDims, outputDims }: Case): CaseCall {
  if (inputDims === undefined) {
    const tensor = ops.tensor(type, fillData(type), [1]);
    return { operator, inputs: [outputDims], attributes: { value: tensor }, tensor };
  }
  const tensor = ops.tensor(type, inputData(type, inputDims), inputDims);
  return { operator, inputs: [tensor, outputDims], attributes: {}, tensor };
}

/** Timed are the call, reading `data`, which writes the result out, and `dispose()`. */
export function broadloom(ops: Runtime, { operator, inputs, attributes }: CaseCall): Contender {
  const run = (): Tensor<CaseType> => ops.run(operator, inputs, attributes)[0] as Tensor<CaseType>;
  return {
    name: 'broadloom',
    time: timed(() => {
      const result = run();
      const first = result.data[0] as number;
      result.dispose();
      return first;
    }),
    async bytes() {
      const result = run();
      const bytes = bytesOf(result.toArray());
      result.dispose();
      return bytes;
    },
    async dispose() {},
  };
}

export function loops(item: Case): Contender {
  const make = plainLoops(item);
  return {
    name: 'loops',
    time: timed(() => make()[0] as number),
    bytes: async () => bytesOf(make()),
    async dispose() {},
  };
}
