// The worker: owns the runtime, so that nothing that is computed makes the page stutter. Comlink makes `api` callable.
import {
  load,
  OnnxError,
  type Operator,
  type OperatorVersion,
  type ParameterRow,
  type Runtime,
  type Tensor,
} from 'broadloom';
import { expose } from 'comlink';
import type { CallDraft, TensorDraft } from '../drafts.js';
import { examples, operatorOf, versionOf } from '../facts.js';
import { at, buildCall, Refused } from './build-tensor.js';
import { elementsOf, isWritten, reportTensor } from './inspect.js';
import type { ModelReport, RunReport } from './model-protocol.js';
import { loadModel, owner as modelOwner, readFile, runModel } from './models.js';
import { placeOf } from './place-of.js';
import type { CallReport, Elements, ExampleReport, FilesReport, FileTensor, Refusal, Summary } from './protocol.js';
import { summarize } from './summarize.js';
import { timesOf } from './time.js';

const runtime = load();
runtime.catch(() => {}); // told to whoever asks

/** The tensors that the page looks at, by the name of what made them. */
const kept = new Map<string, readonly Tensor[]>();

function keep(owner: string, tensors: readonly Tensor[]): void {
  for (const tensor of kept.get(owner) ?? []) tensor.dispose();
  kept.set(owner, tensors);
}

function tensorOf(key: string): Tensor | undefined {
  const [owner, index] = key.split('#') as [string, string];
  return kept.get(owner)?.[Number(index)];
}

/** Runs `work` with the runtime. A refusal is an answer; anything else that is thrown is a mistake of ours. */
async function answer<R>(work: (ops: Runtime) => R): Promise<R | Refusal> {
  const ops = await runtime;
  try {
    return work(ops);
  } catch (error) {
    if (error instanceof Refused) return { ok: false, problem: error.problem };
    if (error instanceof OnnxError) {
      return { ok: false, problem: { place: 'call', message: error.message, code: error.code } };
    }
    throw error;
  }
}

function nameOf(rows: readonly ParameterRow[], index: number): string {
  return rows[index]?.name ?? `${rows.at(-1)?.name ?? ''} ${index}`;
}

/** The bytes of a tensor in ONNX's layout, copied; of strings, their JSON. */
function bytesIn(tensor: Tensor): Uint8Array {
  if (tensor.type === 'string') return new TextEncoder().encode(JSON.stringify(tensor.data));
  const { buffer, byteOffset, byteLength } = tensor.data as Uint8Array;
  return new Uint8Array(buffer, byteOffset, byteLength).slice();
}

const api = {
  /** Runs a documented example, by its number. */
  async example(index: number): Promise<ExampleReport> {
    const ops = await runtime;
    const { operator, inputs, attributes, expected } = examples[index] as (typeof examples)[number];
    return ops.scope(() => {
      try {
        const actual = ops.run(operator, inputs, attributes).join('\n');
        return { equal: actual === expected, actual };
      } catch (error) {
        return { equal: false, actual: String(error) };
      }
    });
  },

  /** Makes a call, and keeps its inputs and outputs under `owner` to be looked into. */
  call(draft: CallDraft, owner: string): Promise<CallReport | Refusal> {
    return answer((ops) => {
      const { inputs, outputs, times } = ops.scope(() => {
        const { inputs, attributes } = buildCall(ops, draft);
        const run = (): Tensor[] => ops.run(draft.operator, inputs, attributes, { opset: draft.opset });
        const outputs = at((error) => placeOf(error, draft, inputs), run);
        keep(owner, []); // only now: a refused call leaves the last result to be looked into
        return { inputs, outputs, times: timesOf(run, outputs.every(isWritten)) };
      });
      keep(owner, [...inputs.filter((input) => input !== null), ...outputs]);
      const version = versionOf(operatorOf(draft.operator) as Operator, draft.opset) as OperatorVersion;
      let next = 0;
      const report = (tensor: Tensor, name: string) => reportTensor(ops, tensor, `${owner}#${next++}`, name);
      return {
        ok: true,
        operator: draft.operator,
        version: version.sinceVersion,
        inputs: inputs.map((input, i) => input && report(input, nameOf(version.inputs, i))),
        outputs: outputs.map((output, i) => report(output, nameOf(version.outputs, i))),
        ...times,
      };
    });
  },

  /** Elements of a kept tensor; undefined when it is no longer kept. */
  async window(key: string, start: number, count: number): Promise<Elements | undefined> {
    const tensor = tensorOf(key);
    return tensor && elementsOf(await runtime, tensor, start, count);
  },

  /** Statistics and a plane of a kept tensor; undefined for strings and complex numbers, or when it is no longer kept. */
  async summary(key: string, outer: readonly number[]): Promise<Summary | undefined> {
    const tensor = tensorOf(key);
    return tensor && summarize(await runtime, tensor, outer);
  },

  /** The bytes of a kept tensor in ONNX's layout; of strings, their JSON. */
  async bytes(key: string): Promise<Uint8Array | undefined> {
    const tensor = tensorOf(key);
    return tensor && bytesIn(tensor);
  },

  /** Reads a tensor file (TensorProto, .pb). */
  readTensor(bytes: Uint8Array): Promise<({ readonly ok: true } & FileTensor) | Refusal> {
    return answer((ops) =>
      ops.scope(() => {
        const tensor = ops.readTensor(bytes);
        return { ok: true, type: tensor.type, dims: [...tensor.dims], bytes: bytesIn(tensor) };
      }),
    );
  },

  /** Reads a model from a file or an address, in the place of the one before it. */
  async loadModel(source: Blob | string): Promise<ModelReport | Refusal> {
    keep(modelOwner, []);
    const bytes = await readFile(source);
    return bytes instanceof Uint8Array ? answer((ops) => loadModel(ops, bytes)) : bytes;
  },

  /** Runs the model that was read last, and keeps its outputs to be looked into. */
  runModel(feeds: { readonly [input: string]: TensorDraft }): Promise<RunReport | Refusal> {
    return answer((ops) => {
      keep(modelOwner, []);
      return runModel(ops, feeds, (outputs) => keep(modelOwner, outputs));
    });
  },

  /** The call as a one-node model with its inputs and outputs, in the layout of ONNX's official tests. */
  files(draft: CallDraft): Promise<FilesReport | Refusal> {
    return answer((ops) =>
      ops.scope(() => {
        const { inputs, attributes } = buildCall(ops, draft);
        const files = at(
          (error) => placeOf(error, draft, inputs),
          () => ops.nodeModel(draft.operator, inputs, attributes, { opset: draft.opset }),
        );
        return { ok: true, files };
      }),
    );
  },
};

export type Api = typeof api;
expose(api);
