// Compile-only: models in workers. Lines below @ts-expect-error must not compile.
import {
  type DataType,
  loadInWorker,
  loadPool,
  type Model,
  type ModelNode,
  type NodeProfile,
  type Pool,
  type PoolModel,
  type PoolStats,
  type RemoteModel,
  type RemoteNode,
  type RemoteRuntime,
  type RemoteTensor,
  type Runtime,
  type SimplifiedBlob,
  type SimplifiedBytes,
  type TensorMessage,
  type WorkerLike,
} from 'broadloom';
import { holds, type Same } from './helpers.js';

declare const ops: Runtime;
declare const remote: RemoteRuntime;
declare const model: RemoteModel;
declare const bytes: Uint8Array;
declare const blob: Blob;
declare const signal: AbortSignal;

// Workers of the web, and functions that make them; all options of load.
const pool = await loadPool({ size: 2, maxQueue: 100, restart: true, deadline: 1000, limits: { nodes: 100 }, signal });
pool satisfies Pool;
loadPool({ worker: () => new Worker('worker.js') });
// @ts-expect-error
loadPool({ worker: new Worker('worker.js') });
const pooled = await pool.loadModel(bytes, { warmUp: { x: [1] }, optimize: false });
holds<Same<PoolModel['inputs'], Model['inputs']>>();
const { z } = await pool.run(pooled, { x: 1 }, { outputs: ['z'], signal, timeout: 100, transfer: true });
holds<Same<typeof z, RemoteTensor>>();
// @ts-expect-error
pool.run({ x: 1 });
pool.stats() satisfies PoolStats;
pool.ready() satisfies Promise<void>;
pool.close({ deadline: 100 }) satisfies Promise<void>;
{
  await using closing = await loadPool();
  using inner = await closing.loadModel(bytes);
  inner satisfies PoolModel;
}

loadInWorker() satisfies Promise<RemoteRuntime>;
loadInWorker({ worker: new Worker('worker.js'), wasm: bytes, opset: 13, signal });
loadInWorker({ worker: () => new Worker(new URL('worker.js'), { type: 'module' }) });
// @ts-expect-error
loadInWorker({ worker: 'worker.js' });
// @ts-expect-error
loadInWorker({ wrker: new Worker('worker.js') });
declare const like: { postMessage(message: unknown): void; terminate(): Promise<number> };
like satisfies WorkerLike;

// Files, and files beside them.
remote.loadModel(bytes, { transfer: true, signal, optimize: false }) satisfies Promise<RemoteModel>;
remote.loadModel(blob, { external: { 'weights.bin': blob, 'more.bin': bytes } });
remote.loadModel(bytes.buffer as ArrayBuffer, { external: new Map([['weights.bin', blob]]) });
remote.loadModel(blob, { external: async (location) => (location === '' ? undefined : bytes) });
remote.loadModel(blob, { external: () => fetch('weights.bin').then((response) => response.arrayBuffer()) });
// @ts-expect-error
remote.loadModel('model.onnx');
remote.simplify(bytes, { dims: { batch: 1 } }) satisfies Promise<SimplifiedBytes>;
remote.simplify(blob, { signal }) satisfies Promise<SimplifiedBlob>;
declare const file: Uint8Array | Blob;
remote.simplify(file) satisfies Promise<SimplifiedBytes | SimplifiedBlob>;

// The properties are those of a model.
holds<Same<RemoteModel['inputs'], Model['inputs']>>();
holds<Same<RemoteModel['opset'], Model['opset']>>();
holds<Same<Awaited<RemoteModel['metadata']>, Model['metadata']>>();
holds<Same<Awaited<RemoteModel['nodes']>, readonly RemoteNode[]>>();
declare const node: RemoteNode;
node satisfies Omit<ModelNode, 'attributes' | 'graphs'>;
ops.loadModel(bytes).nodes satisfies readonly RemoteNode[];

// Results are operands, feeds and unions that narrow.
const { y } = await model.run({ x: ops.tensor('float32', [1]) }, { outputs: ['y'], signal, transfer: true });
holds<Same<typeof y, RemoteTensor>>();
y satisfies TensorMessage;
if (y.type === 'int64') y.data satisfies BigInt64Array;
ops.mul(y, 2);
await model.run({ x: y });
ops.fromMessage<DataType>(y);
await model.run({ x: 'text', rate: 16000n, samples: Float32Array.of(1) });
// @ts-expect-error
await model.run({ x: new Map() });
// @ts-expect-error
await model.run({}, { outputs: 'y' });
// @ts-expect-error
await model.run({}, {}, 1);
model.profile({ x: y }) satisfies Promise<NodeProfile[]>;
const [expanded] = await remote.run('Expand', [y, [2, 3]], {}, { opset: 13, signal });
expanded satisfies RemoteTensor | undefined;
const [initializer] = await model.initializers;
(await initializer?.read()) satisfies RemoteTensor | undefined;

{
  using ending = await loadInWorker();
  using inner = await ending.loadModel(bytes);
  inner satisfies RemoteModel;
}
