// onnxruntime-web as a contender: its wasm backend on one thread. Imported only when somebody asks for it. The entry
// `onnxruntime-web/wasm` holds no `new Function`, which the default one does and the Content-Security-Policy forbids.
import type { Runtime } from 'broadloom';
import * as ort from 'onnxruntime-web/wasm';
import { inputData } from '../../../bench/element-types.mjs';
import { timedAsync } from '../../../bench/measure.mjs';
import type { Case } from './cases.js';
import { bytesOf, type CaseCall, type Contender } from './contenders.js';
import type { NetworkSession } from './network-contenders.js';
import { type Network, randomNumbers } from './networks.js';

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'fatal';

export const version = ort.env.versions.web;

/** An opset that onnxruntime-web knows in full. */
const opset = 21;

function sessionOf(model: Uint8Array): Promise<ort.InferenceSession> {
  return ort.InferenceSession.create(model, { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
}

function newSession(ops: Runtime, { operator, inputs, attributes }: CaseCall): Promise<ort.InferenceSession> {
  return sessionOf(ops.nodeModel(operator, inputs, attributes, { opset })['model.onnx'] as Uint8Array);
}

/** Fetches and starts the backend by making a session of the call. */
export async function start(ops: Runtime, call: CaseCall): Promise<void> {
  await (await newSession(ops, call)).release();
}

/** Timed are `run` with the same feeds each time, reading the result's `data`, and `dispose()`. */
export async function onnxruntime(
  ops: Runtime,
  { type, inputDims, outputDims }: Case,
  call: CaseCall,
): Promise<Contender> {
  const session = await newSession(ops, call);
  const shape = new ort.Tensor('int64', BigInt64Array.from(outputDims, BigInt), [outputDims.length]);
  const tensors =
    inputDims === undefined ? [shape] : [new ort.Tensor(type, inputData(type, inputDims), inputDims), shape];
  const feeds = Object.fromEntries(session.inputNames.map((name, i) => [name, tensors[i] as ort.Tensor]));
  const output = session.outputNames[0] as string;
  const run = async (): Promise<ort.Tensor> => (await session.run(feeds))[output] as ort.Tensor;
  return {
    name: 'onnxruntime',
    time: timedAsync(async () => {
      const result = await run();
      const first = result.data[0] as number;
      result.dispose();
      return first;
    }),
    bytes: async () => bytesOf((await run()).data as Float32Array | Uint8Array),
    dispose: () => session.release(),
  };
}

/** A network: timed are `run` with the same input each time, reading the result's `data`, and `dispose()`. */
export async function networkSession({ model, dims }: Network): Promise<NetworkSession> {
  const session = await sessionOf(model);
  const x = new ort.Tensor('float32', randomNumbers(dims, 0), dims);
  const run = async (): Promise<ort.Tensor> => (await session.run({ x })).y as ort.Tensor;
  return {
    time: timedAsync(async () => {
      const y = await run();
      const first = y.data[0] as number;
      y.dispose();
      return first;
    }),
    values: async () => (await run()).data as Float32Array,
    dispose: () => session.release(),
  };
}
