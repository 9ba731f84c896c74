// Models in the worker: one at a time is read, described and run.
import type { Model, OnnxError, Runtime, Tensor } from 'broadloom';
import type { Place, TensorDraft } from '../drafts.js';
import { everyNode, type PlacedNode } from '../models/graphs.js';
import { at, buildTensor } from './build-tensor.js';
import { isWritten, reportTensor } from './inspect.js';
import type { ModelReport, RunReport } from './model-protocol.js';
import type { Refusal } from './protocol.js';
import { timesOf } from './time.js';

/** The owner of the outputs among the kept tensors. */
export const owner = 'model';

let model: Model | undefined;

/** The bytes of a file that was dropped or chosen, or of an address. */
export async function readFile(source: Blob | string): Promise<Uint8Array | Refusal> {
  try {
    if (typeof source !== 'string') return new Uint8Array(await source.arrayBuffer());
    const response = await fetch(source);
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    return { ok: false, problem: { place: 'file', message: String(error) } };
  }
}

/** Reads a model in the place of the one before it. */
export function loadModel(ops: Runtime, bytes: Uint8Array): ModelReport {
  model?.dispose();
  model = undefined;
  model = at('model', () => ops.loadModel(bytes, { allowUnsupported: true }));
  const { opset, inputs, outputs, warnings, nodes } = model;
  return { ok: true, opset, inputs, outputs, warnings, nodes, size: bytes.length };
}

/** The name of a node in errors: its own, or its number in its graph. */
function isNamed({ node, path }: PlacedNode, name: string): boolean {
  return (node.name === '' ? `#${path.slice(path.lastIndexOf('.') + 1)}` : node.name) === name;
}

/** The input, or the node, that an error of a run speaks of. Numbers count within a graph, so that several may be meant. */
function placeOf({ node: name, operator, message }: OnnxError, { inputs, nodes }: Model): Place {
  if (name !== undefined) {
    const named = everyNode(nodes).filter((placed) => isNamed(placed, name));
    const meant = named.filter(({ node }) => operator === undefined || node.operator === operator);
    return meant[0] !== undefined && meant.length === 1 ? `node:${meant[0].path}` : 'model';
  }
  const index = inputs.findIndex(({ name }) => message.startsWith(`input '${name}' `));
  if (index < 0) return 'model';
  return message.includes(' has dims ') ? `feed:${index}:dims` : `feed:${index}`;
}

/** Milliseconds: what takes longer is not run again only to be timed. */
const slow = 50;

/** Runs the model that was read last. Its outputs go to `keep`. */
export function runModel(
  ops: Runtime,
  drafts: { readonly [input: string]: TensorDraft },
  keep: (outputs: readonly Tensor[]) => void,
): RunReport {
  const running = model as Model;
  const { outputs, took, times } = ops.scope(() => {
    const feeds = Object.fromEntries(
      running.inputs.map(({ name }, i) => [name, buildTensor(ops, drafts[name] as TensorDraft, `feed:${i}`)]),
    );
    const run = (): Tensor[] => {
      const results = at(
        (error) => placeOf(error, running),
        () => running.run(feeds),
      );
      return running.outputs.map(({ name }) => results[name] as Tensor); // objects put names such as 7 first
    };
    const start = performance.now();
    const outputs = run();
    const took = performance.now() - start;
    return { outputs, took, times: took < slow ? timesOf(run, outputs.every(isWritten)) : undefined };
  });
  keep(outputs);
  const reports = outputs.map((output, i) => {
    return reportTensor(ops, output, `${owner}#${i}`, running.outputs[i]?.name ?? '');
  });
  return { ok: true, outputs: reports, ...(times ?? { callTime: took * 1000, writeTime: timeOfWriting(outputs) }) };
}

/** Microseconds of writing tensors out, once. */
function timeOfWriting(tensors: readonly Tensor[]): number {
  const start = performance.now();
  for (const tensor of tensors) if (isWritten(tensor)) void tensor.data;
  return (performance.now() - start) * 1000;
}
