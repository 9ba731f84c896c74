// The worker of the page "Models". It owns the model that is open and has a runtime of its own, so that a run can be stopped
// by ending it; then the page opens the model again.
import {
  type AnyTensor,
  type ExternalFiles,
  load,
  type Model,
  type ModelValue,
  type NodeProfile,
  OnnxError,
  type Runtime,
  type Tensor,
  type TensorMessage,
} from 'broadloom';
import { expose, transfer } from 'comlink';
import { missingFiles } from '../../../shared/missing-files.js';
import { at, Refused, refusalOf } from '../runtime/build-tensor.js';
import { nameIn, readSource } from '../runtime/files-given.js';
import { reportTensor } from '../runtime/inspect.js';
import type { Refusal } from '../runtime/protocol.js';
import { compareModels } from './compare-models.js';
import { describeNodes } from './describe.js';
import { everyNode } from './graphs.js';
import { placeOf } from './place-of-error.js';
import type { CompareAnswer, ModelReport, ProfileAnswer, ReadAnswer, RunAnswer, Sent } from './protocol.js';
import { averageOf, timesOfRuns } from './timing.js';

const runtime = load();
runtime.catch(() => {}); // told to whoever asks

let model: Model | undefined;

async function answer<R>(work: (ops: Runtime) => R | Promise<R>): Promise<R | Refusal> {
  const ops = await runtime;
  try {
    return await work(ops);
  } catch (error) {
    return refusalOf(error);
  }
}

async function filesFor(locations: readonly string[], beside: readonly File[]): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const location of locations) {
    const file = beside.find(({ name }) => name === nameIn(location));
    if (file !== undefined) files.set(location, new Uint8Array(await file.arrayBuffer()));
  }
  return files;
}

interface Loaded {
  readonly model: Model;
  readonly size: number;
  /** The locations of files that it needs and that are not there. */
  readonly missing: readonly string[];
}

/** Reads a model, and once more with the files beside it if it needs some that are there. */
async function read(ops: Runtime, blob: Blob, beside: readonly File[]): Promise<Loaded> {
  try {
    return await readFiles(ops, blob, beside);
  } catch (error) {
    if (error instanceof OnnxError || error instanceof Refused) throw error;
    throw new Refused({ place: 'file', message: String(error) }); // a file that is gone
  }
}

/** In bytes: a limit of the format. */
const largestModel = 2 ** 31 - 1;

async function readFiles(ops: Runtime, blob: Blob, beside: readonly File[]): Promise<Loaded> {
  if (blob.size > largestModel) {
    const message = `the file has ${blob.size} bytes; ${largestModel} are the most`;
    throw new Refused({ place: 'model', message });
  }
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const loaded = (external?: ExternalFiles) =>
    at('model', () => ops.loadModel(bytes, { allowUnsupported: true, external }));
  const { model, locations } = loadedAlone(loaded);
  const files = await filesFor(locations, beside);
  const missing = locations.filter((location) => !files.has(location));
  if (files.size === 0) return { model, size: blob.size, missing };
  model.dispose();
  const size = [...files.values()].reduce((sum, file) => sum + file.length, blob.size);
  return { model: loaded((location) => files.get(location)), size, missing };
}

/** The model without the files beside it, and their locations. */
function loadedAlone(loaded: (external?: ExternalFiles) => Model): { model: Model; locations: readonly string[] } {
  const asked: string[] = [];
  const none: ExternalFiles = (location) => {
    asked.push(location);
    return undefined;
  };
  try {
    return { model: loaded(none), locations: asked };
  } catch {
    // A damaged file fails again. One whose locations lead out of its folder can be looked at.
    const model = loaded();
    return { model, locations: model.initializers.flatMap(({ external }) => external?.location ?? []) };
  }
}

function reportOf(ops: Runtime, { model, size, missing }: Loaded): ModelReport {
  const { opset, inputs, outputs, warnings, metadata, nodes, initializers } = model;
  return {
    ...{ ok: true, opset, inputs, outputs, warnings, metadata, size },
    missing: missingFiles(missing, initializers),
    ...describeNodes(nodes, ops.operators()),
    initializers: initializers.map(({ read: _, ...look }) => look),
  };
}

function current(): Model {
  if (model === undefined) throw new Error('no model is open');
  return model;
}

/** A tensor and what is told of it. Strides are read before the elements, which makes the layout dense. */
function sent(ops: Runtime, tensor: Tensor, key: string, name: string): Sent {
  const report = reportTensor(ops, tensor, key, name);
  return { report, message: report.written ? (tensor.toMessage() as TensorMessage) : undefined };
}

/** Hands the elements over instead of copying them. */
function handOver<A extends object>(all: readonly Sent[], given: A): A {
  const buffers = all.flatMap(({ message }) => {
    const data: unknown = message?.data;
    return ArrayBuffer.isView(data) ? [data.buffer as ArrayBuffer] : [];
  });
  return transfer(given, buffers);
}

function run(
  ops: Runtime,
  feeds: { readonly [input: string]: TensorMessage },
  owner: string,
  names: readonly string[] | undefined,
): RunAnswer {
  const running = current();
  return ops.scope(() => {
    const tensors = Object.fromEntries(Object.entries(feeds).map(([name, feed]) => [name, ops.fromMessage(feed)]));
    const wanted = names ?? running.outputs.map(({ name }) => name);
    const once = (): Tensor[] => {
      const results = at(
        (error) => placeOf(error, running),
        () => running.run(tensors, names === undefined ? {} : { outputs: names }),
      );
      return wanted.map((name) => results[name] as Tensor); // objects put names such as 7 first
    };
    const start = performance.now();
    const outputs = once();
    const took = (performance.now() - start) * 1000;
    const times = timesOfRuns(once, outputs, took, names === undefined);
    const all = outputs.map((output, i) => sent(ops, output, `${owner}#${i}`, wanted[i] ?? ''));
    return handOver<RunAnswer>(all, { ok: true, outputs: all, ...times });
  });
}

function profile(ops: Runtime, feeds: { readonly [input: string]: TensorMessage }): ProfileAnswer {
  const running = current();
  return ops.scope(() => {
    const tensors = Object.fromEntries(Object.entries(feeds).map(([name, feed]) => [name, ops.fromMessage(feed)]));
    const once = (): NodeProfile[] =>
      at(
        (error) => placeOf(error, running),
        () => running.profile(tensors),
      );
    const profiled = averageOf(once);
    const memory = ops.memory();
    return { ok: true, ...profiled, memory, dims: dimsInRun(running, tensors, profiled.nodes) };
  });
}

/** Bytes: of runs whose values take more, not all are held at once to see their dims. */
const mostHeld = 256e6;

/** The dims of the values that the file leaves open, from a run that gives them all. */
function dimsInRun(
  running: Model,
  feeds: { readonly [input: string]: Tensor },
  rows: readonly NodeProfile[],
): ProfileAnswer['dims'] {
  const isOpen = ({ declared, inferred }: ModelValue): boolean =>
    !(inferred ?? declared)?.dims?.every((dim) => typeof dim === 'number');
  const placed = everyNode(running.nodes);
  const names = placed.flatMap(({ node, path }, i) => {
    const row = rows[i];
    const isOwn = !path.includes('.') && row !== undefined && (row.calls > 0 || row.fusedInto !== undefined);
    return isOwn ? node.outputs.filter((value) => value.name !== '' && isOpen(value)).map(({ name }) => name) : [];
  });
  const found = Object.entries(feeds).map(([name, { dims }]) => [name, [...dims]] as const);
  if (names.length > 0 && rows.reduce((sum, { bytes }) => sum + bytes, 0) <= mostHeld) {
    try {
      const values = running.run(feeds, { outputs: names });
      for (const name of names) found.push([name, [...(values[name] as AnyTensor).dims]]);
    } catch {} // a value that is not a tensor, or too little memory
  }
  return Object.fromEntries(found);
}

/** The elements of an attribute as a tensor. */
function attributeTensor(ops: Runtime, value: unknown): Tensor {
  if (!Array.isArray(value)) return ops.fromMessage(value as TensorMessage) as Tensor;
  const [first] = value;
  if (typeof first === 'string') return ops.tensor('string', value, [value.length]);
  const areIntegers = value.every((element) => typeof element === 'bigint' || Number.isSafeInteger(element));
  if (!areIntegers) return ops.tensor('float32', Float32Array.from(value), [value.length]);
  return ops.tensor('int64', BigInt64Array.from(value, BigInt), [value.length]);
}

const api = {
  /** Reads a model in the place of the one before it. */
  async open(source: Blob | string, beside: readonly File[]): Promise<ModelReport | Refusal> {
    const blob = await readSource(source);
    if (!(blob instanceof Blob)) return blob;
    return answer(async (ops) => {
      model?.dispose();
      model = undefined;
      const loaded = await read(ops, blob, beside);
      model = loaded.model;
      return reportOf(ops, loaded);
    });
  },

  /** Compares the model that is open with another one, which has a runtime of its own: both need memory. */
  async compare(source: Blob | string, beside: readonly File[]): Promise<CompareAnswer | Refusal> {
    const blob = await readSource(source);
    if (!(blob instanceof Blob)) return blob;
    return answer(async () => {
      const ops = await load({});
      const other = await read(ops, blob, beside);
      try {
        return { ...compareModels(current(), other.model), other: reportOf(ops, other) };
      } finally {
        other.model.dispose();
      }
    });
  },

  /** Runs the model for its outputs, or for the values that `names` asks for. */
  run(
    feeds: { readonly [input: string]: TensorMessage },
    owner: string,
    names?: readonly string[],
  ): Promise<RunAnswer | Refusal> {
    return answer((ops) => run(ops, feeds, owner, names));
  },

  /** Time and memory of the nodes. */
  profile(feeds: { readonly [input: string]: TensorMessage }): Promise<ProfileAnswer | Refusal> {
    return answer((ops) => profile(ops, feeds));
  },

  /** The elements of the initializer with a number. */
  initializer(index: number, key: string): Promise<ReadAnswer | Refusal> {
    return answer((ops) =>
      ops.scope(() => {
        const initializer = current().initializers[index];
        if (initializer === undefined) throw new Error(`there is no initializer ${index}`);
        const tensor = at('value', () => initializer.read()) as Tensor;
        const one = sent(ops, tensor, key, initializer.name);
        return handOver<ReadAnswer>([one], { ok: true, ...one });
      }),
    );
  },

  /** The elements of an attribute of the node at a path. */
  attribute(path: string, name: string, key: string): Promise<ReadAnswer | Refusal> {
    return answer((ops) =>
      ops.scope(() => {
        const placed = everyNode(current().nodes).find((one) => one.path === path);
        const tensor = at('value', () => attributeTensor(ops, placed?.node.attributes[name]));
        const one = sent(ops, tensor, key, name);
        return handOver<ReadAnswer>([one], { ok: true, ...one });
      }),
    );
  },
};

export type Api = typeof api;
expose(api);
