import { show } from '../basics/show.js';
import {
  type ExternalFiles,
  type ModelNode,
  type NodeProfile,
  OnnxError,
  type Runtime,
  type TensorLike,
  type ValueInfo,
} from '../entries/index.js';
import { loadWithFiles } from '../model/load-with-files.js';
import { copyOf, dataForPrograms, sizeOf } from './data.js';
import { readExternalFiles, readFile } from './files.js';
import type { Host } from './host.js';
import { type AnyModel, ModelSource, OpenModel } from './open-model.js';
import { checkRunOptions } from './options.js';
import type { InferenceSession } from './session.js';
import { warnOnce } from './warnings.js';

type Metadata = InferenceSession.ValueMetadata;
type Elements = {
  readonly type: TensorLike['type'];
  readonly dims: readonly number[];
  readonly data: TensorLike['data'];
};

/** A tensor that is fed, or that gets the elements of an output: of this package, or of some copy of onnxruntime-common. */
export interface GivenTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: unknown;
  readonly location?: string;
  getData?(): Promise<unknown>;
}

/** Whether a value can be read as a tensor: one of any onnxruntime, or of Broadloom. */
export const isTensor = (value: unknown): value is GivenTensor =>
  ['type', 'dims', 'data'].every((name) => name in Object(value));

const metadataOf = ({ name, type, dims }: ValueInfo): Metadata =>
  type === null
    ? { name, isTensor: false }
    : { name, isTensor: true, type: type as 'float32', shape: (dims ?? []).map((dim) => dim ?? '') };

/** Whether the elements of a tensor have to be copied to this side first. */
const isElsewhere = ({ location, getData }: GivenTensor) =>
  typeof location === 'string' && !location.startsWith('cpu') && typeof getData === 'function';

/** The array of a tensor that exists, for an output. Fails where the output does not fit, or the tensor has no elements here. */
function targetFor(name: string, to: GivenTensor, { type, dims, data }: Elements): unknown {
  const output = `output '${name}' is ${type} [${dims}], and the tensor for it`;
  if (to.type !== type || `${to.dims}` !== `${dims}`)
    throw new OnnxError('INVALID_ARGUMENT', `${output} ${to.type} [${to.dims}]`);
  const target = to.data;
  if (Array.isArray(target) === Array.isArray(data) && sizeOf(target) === sizeOf(data)) return target;
  throw new OnnxError('INVALID_ARGUMENT', `${output} has other elements: ${show(target)}, perhaps detached`);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new Uint8Array(buffer, byteOffset, byteLength);

/** Writes an output into an array that exists. */
function fill(target: unknown, { data }: Elements): void {
  // Not by splice: a list may have more elements than a call may have arguments.
  if (Array.isArray(target)) Object.assign(target, data);
  // As bytes: of float16, one may be an array of bits and the other one of values.
  else bytesOf(target as Uint8Array).set(bytesOf(data as Uint8Array));
}

/** Adds up the profiles of runs, by node. */
class Profile {
  readonly #rows = new Map<string, { operator: string; calls: number; microseconds: number }>();
  #runs = 0;

  add(profile: readonly NodeProfile[]): void {
    this.#runs++;
    for (const { node, operator, calls, microseconds } of profile) {
      const row = this.#rows.get(node) ?? { operator, calls: 0, microseconds: 0 };
      this.#rows.set(node, row);
      row.calls += calls;
      row.microseconds += microseconds;
    }
  }

  print(): void {
    const rows = [...this.#rows].sort(([, a], [, b]) => b.microseconds - a.microseconds).slice(0, 20);
    // A list: as keys of an object, names that are numbers would come first, and consoles escape no keys.
    console.log(`broadloom/onnxruntime: the nodes that took most of ${this.#runs} runs`);
    console.table(rows.map(([node, row]) => ({ node, ...row })));
  }
}

/** An output of a model, here or in a worker. */
type Output = Elements & { toArray?(): Elements['data']; dispose?(): void };

/** Takes the elements of outputs out of the runtime, where nothing of them stays. */
function takeOutputs(results: Readonly<Record<string, Output>>, names: readonly string[]): Record<string, Elements> {
  const taken: Record<string, Elements> = Object.create(null); // a name may be __proto__
  try {
    for (const name of names) {
      const tensor = results[name] as Output;
      const { type, dims } = tensor;
      const data = tensor.toArray?.() ?? tensor.data;
      tensor.dispose?.(); // before the next one is made
      taken[name] = { type, dims: [...dims], data: dataForPrograms(type, data as Uint8Array) };
    }
    return taken;
  } finally {
    for (const tensor of Object.values(results)) tensor.dispose?.();
  }
}

/** The class of results. */
export type TensorClass = new (type: string, data: unknown, dims: readonly number[]) => unknown;

/** A model with the interface of a session handler, which a backend of onnxruntime-common makes. */
export interface Handler {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly Metadata[];
  readonly outputMetadata: readonly Metadata[];
  /** Runs the model. `fetches` has a tensor to fill, or null, for each output that is wanted. The results are tensors. */
  run(
    feeds: Readonly<Record<string, unknown>>,
    fetches: Readonly<Record<string, GivenTensor | null>>,
    options?: InferenceSession.RunOptions,
  ): Promise<Record<string, unknown>>;
  startProfiling(): void;
  endProfiling(): void;
  dispose(): Promise<void>;
}

/** Makes the handler of a model. Its functions have no `this`, which may be a proxy: frameworks make them of what a program keeps. */
function handlerOf(open: OpenModel, Tensor: TensorClass): Handler {
  const model = open.current;
  let profile: Profile | undefined;
  let told = model.warnings.length;
  const inputNames = model.inputs.map(({ name }) => name);
  const asked = new Set(inputNames);
  const outputNames = model.outputs.map(({ name }) => name);
  return {
    inputNames,
    outputNames,
    inputMetadata: model.inputs.map(metadataOf),
    outputMetadata: model.outputs.map(metadataOf),
    async run(feeds, fetches, options = {}) {
      checkRunOptions(options);
      if (options.terminate) throw new OnnxError('INVALID_ARGUMENT', 'run: the option terminate is true');
      const given = Object.entries(feeds).flatMap(([name, tensor]): [string, GivenTensor][] => {
        if (!asked.has(name)) {
          warnOnce(
            `run: the feed '${name}' is ignored: the model asks for ${inputNames.join(', ') || 'none'}`,
            options,
          );
          return [];
        }
        if (!isTensor(tensor)) throw new TypeError(`input '${name}' is ${show(tensor)}, wanted a Tensor.`);
        if (tensor.location === 'none') throw new Error(`input '${name}' is a tensor that was disposed.`);
        return [[name, tensor]];
      });
      // Elements on this side are read before the caller goes on, who may write to them or free them.
      const waits = given.some(([, tensor]) => isElsewhere(tensor));
      const here = given.map(([, tensor]) => {
        if (isElsewhere(tensor)) return undefined;
        return waits ? copyOf(tensor.data) : tensor.data;
      });
      const download = async ([, tensor]: [string, GivenTensor], i: number) => here[i] ?? tensor.getData?.();
      const elements = waits ? await Promise.all(given.map(download)) : here;
      const read = Object.fromEntries(
        given.map(([name, { type, dims }], i) => [name, { type, dims, data: elements[i] } as TensorLike]),
      );
      const outputs = Object.keys(fetches);
      const wanted = outputs.length < outputNames.length ? { outputs } : undefined;
      const [taken, rows] = await open.use(read, (model, feeds) => {
        const profiling = profile && model.profile(feeds, wanted);
        const running = model.run(feeds, wanted);
        // Results leave the runtime's memory before another run begins.
        const take = (results: unknown) => takeOutputs(results as Readonly<Record<string, Output>>, outputs);
        return running instanceof Promise
          ? Promise.all([running.then(take), profiling])
          : [take(running), profiling as NodeProfile[] | undefined];
      });
      if (rows !== undefined) profile?.add(rows);
      const { warnings } = open.current;
      for (const text of warnings.slice(told)) warnOnce(`run: ${text}`, options);
      told = warnings.length;
      const targets = new Map<unknown, Elements>();
      for (const [name, to] of Object.entries(fetches)) {
        const elements = taken[name] as Elements;
        if (to !== null) targets.set(targetFor(name, to, elements), elements);
      }
      for (const [target, elements] of targets) fill(target, elements);
      return Object.fromEntries(
        Object.entries(taken).map(([name, { type, data, dims }]) => [
          name,
          fetches[name] ?? new Tensor(type, data, dims),
        ]),
      );
    },
    startProfiling() {
      profile ??= new Profile();
    },
    endProfiling() {
      profile?.print();
      profile = undefined;
    },
    async dispose() {
      open.release();
    },
  };
}

type Options = InferenceSession.SessionOptions;

/** Fixes the sizes that `freeDimensionOverrides` names; names that the model does not have get a warning. */
function fixed(ops: Runtime, file: Uint8Array, sizes: Readonly<Record<string, number>>, options: Options): Uint8Array {
  const dims = { ...sizes };
  while (Object.keys(dims).length > 0) {
    try {
      return ops.simplify(file, { dims }).bytes;
    } catch (error) {
      const { code, message } = error as OnnxError;
      const text = message.replace('simplify: dims:', 'freeDimensionOverrides:');
      const unknown = Object.keys(dims).find((name) => message.startsWith(`no size '${name}'; `));
      if (unknown === undefined) throw new OnnxError(code, text, error as OnnxError);
      warnOnce(`freeDimensionOverrides: ${text}`, options);
      delete dims[unknown];
    }
  }
  return file;
}

const reasonsOf = (nodes: readonly ModelNode[]): string[] =>
  nodes.flatMap(({ version, unsupported, graphs = {} }) => [
    ...(version === null && unsupported !== null ? [unsupported] : []),
    ...Object.values(graphs).flatMap(reasonsOf),
  ]);

/** Why a file cannot run: all reasons, or none if nodes cannot be listed, as in a module without the part `describe`. */
function reasonsOfFile(ops: Runtime, file: Uint8Array): string[] {
  const model = ops.loadModel(file, { allowUnsupported: true });
  try {
    return [...new Set(reasonsOf(model.nodes))];
  } catch {
    return [];
  } finally {
    model.dispose();
  }
}

/** The error of a file that cannot be run, with all reasons instead of the first. */
async function refusal(host: Host, file: Uint8Array, error: unknown): Promise<unknown> {
  const { code } = error as OnnxError;
  if (code !== 'UNKNOWN_OPERATOR' && code !== 'UNSUPPORTED_TYPE') return error;
  const reasons = await host.withRuntime((ops) => reasonsOfFile(ops, file));
  if (reasons.length < 2) return error;
  return new OnnxError(code, `the model has ${reasons.length} things that do not run here: ${reasons.join('; ')}`, {
    cause: error,
  });
}

/** Where a model runs, and how large its files may be. */
interface Place {
  /** Whether it runs in a worker. */
  readonly isRemote?: boolean | undefined;
  readonly maximumBytes?: number | undefined;
}

/** Opens a model that the session's options describe. `source` sees what is read from addresses. */
async function openModel(
  host: Host,
  model: unknown,
  options: Options,
  { isRemote = false, maximumBytes = Number.POSITIVE_INFINITY }: Place,
  source: ModelSource,
): Promise<AnyModel> {
  let bytes = 0;
  const counted = (more: number) => {
    bytes += more;
    if (bytes > maximumBytes)
      throw new OnnxError('LIMIT_EXCEEDED', `the model has more than ${maximumBytes} bytes`, { limit: 'bytes' });
  };
  let file = await readFile(model, 'the model');
  counted(file.length);
  if (source.address !== undefined) source.check(source.address, file);
  const check: ModelSource['check'] = (location, part, place) => source.check(location, part, place);
  const { external, areThere, arePending } = await readExternalFiles(options.externalData, model, counted, check);
  // As onnxruntime, which checks no dims of an input whose shape has no axes.
  const common = { optimize: options.graphOptimizationLevel !== 'disabled', emptyShapes: 'any' } as const;
  const sizes = options.freeDimensionOverrides ?? {};
  // A model for a worker needs a runtime on this side for nothing else.
  if (Object.keys(sizes).length > 0) file = await host.withRuntime((ops) => fixed(ops, file, sizes, options));
  const inWorker = (files?: typeof external) =>
    host.withWorker((worker) => worker.loadModel(file, { ...common, external: files }));
  // With files a worker reads a model twice: where none are there, it gets them to say which one is missing.
  return (
    isRemote
      ? inWorker(areThere ? external : undefined).catch((error) => {
          if (error.code !== 'INVALID_MODEL') throw error;
          return inWorker(external);
        })
      : host.withRuntime((ops) =>
          arePending
            ? loadWithFiles(ops, file, common, async (location) => external(location))
            : ops.loadModel(file, { ...common, external: external as ExternalFiles }),
        )
  ).catch(async (error) => {
    throw await refusal(host, file, error);
  });
}

/** Makes the handler of a model that the session's options describe. */
export async function createHandler(
  host: Host,
  Tensor: TensorClass,
  model: string | Uint8Array,
  given: Options,
  place: Place = {},
): Promise<Handler> {
  const { externalData, ...others } = given;
  // The model may be opened again when the program has changed its options.
  const options = { ...others, freeDimensionOverrides: { ...given.freeDimensionOverrides } };
  const source = new ModelSource(model, externalData);
  const open = (file: unknown, files: Options['externalData']) =>
    openModel(host, file, { ...options, ...(files && { externalData: files }) }, place, source);
  const read = await open(model, externalData);
  const again = () => open(source.model, source.externalData);
  const handler = handlerOf(new OpenModel(read, again, place.isRemote === true), Tensor);
  if (options.enableProfiling) handler.startProfiling();
  return handler;
}
