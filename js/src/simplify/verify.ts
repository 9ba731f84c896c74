import { difference, roundingTolerance } from '../../../shared/agreement.js';
import { OnnxError } from '../basics/error.js';
import { type ExternalFiles, noFile } from '../model/external.js';
import { type FileParts, type PendingPart, partsOf } from '../model/file-parts.js';
import { type Loader, loadWithFiles } from '../model/load-with-files.js';
import type { Model } from '../model/model.js';
import type { ModelNode } from '../model/nodes.js';
import type { AnyTensor } from '../tensor/tensor.js';
import type { SimplifyOptions, Verified } from './types.js';

type Results = { [name: string]: AnyTensor };

/** A runtime, as far as models run. */
export interface Runner extends Loader {
  scope<R>(work: () => R): R;
}

/**
 * Runs both models, as `verifySimplified` does, and waits for files beside them, or parts of them. Each file is asked for once.
 *
 * @internal
 */
export async function verifyWithFiles(
  runtime: Runner,
  before: Uint8Array,
  after: Uint8Array,
  options: SimplifyOptions,
): Promise<Verified> {
  const { external } = options;
  const files = new Map<string, FileParts<PendingPart>>();
  const getFile = async (location: string) => {
    const file = files.get(location) ?? partsOf(await external?.(location));
    if (file === undefined) throw noFile(location);
    files.set(location, file);
    return file;
  };
  const models: Model[] = [];
  try {
    for (const bytes of [before, after])
      models.push(
        external === undefined
          ? runtime.loadModel(bytes, { allowUnsupported: true })
          : await loadWithFiles(runtime, bytes, { allowUnsupported: true }, getFile),
      );
    return compared(runtime, models as [Model, Model], options);
  } catch (error) {
    return notRun(error);
  } finally {
    for (const model of models) model.dispose();
  }
}

/**
 * Runs a model before and after, and compares the outputs. If the models have nodes that do not run here, compares the values
 * that both compute without these nodes. Throws the errors of feeds.
 *
 * @internal
 */
export function verifySimplified(
  runtime: Runner,
  before: Uint8Array,
  after: Uint8Array,
  options: SimplifyOptions,
): Verified {
  const files = options.external as ExternalFiles | undefined;
  // Models that lack files would be read, too.
  const external: ExternalFiles | undefined =
    files &&
    ((location) => {
      const file = files(location);
      if (file === undefined) throw noFile(location);
      return file;
    });
  const models: Model[] = [];
  try {
    for (const bytes of [before, after]) models.push(runtime.loadModel(bytes, { external, allowUnsupported: true }));
    return compared(runtime, models as [Model, Model], options);
  } catch (error) {
    return notRun(error);
  } finally {
    for (const model of models) model.dispose();
  }
}

/** The verdict where a model cannot be run; an error of feeds is thrown. */
function notRun(error: unknown): Verified {
  const cannotRun = error instanceof OnnxError && /^UN|MODEL|MEMORY/.test(error.code);
  if (!cannotRun) throw error;
  return { ran: false, equal: null, reason: error.message };
}

function compared(runtime: Runner, models: readonly [Model, Model], options: SimplifyOptions): Verified {
  const feeds = { ...options.values, ...options.verify?.feeds };
  const run = (model: Model, values?: readonly string[]): Results => {
    // An input that became a constant is gone.
    const fed = Object.entries(feeds).filter(
      ([name]) => model === models[0] || !Object.hasOwn(options.values ?? {}, name),
    );
    return model.run(Object.fromEntries(fed), values && { outputs: values });
  };
  const [one, other] = models;
  const [values, reason] = comparedValues(one, other);
  if (values?.length === 0) return { ran: false, equal: null, reason, compared: values };
  const differs = runtime.scope(() => {
    const [was, is] = [run(one, values), run(other, values)];
    for (const [name, tensor] of Object.entries(is)) {
      const tolerance = options.fuseInexact === true ? roundingTolerance(tensor.type) : undefined;
      const how = difference(tensor, was[name] as AnyTensor, tolerance);
      if (how !== undefined) return `${values === undefined ? 'output' : 'value'} '${name}' ${how}`;
    }
    return null;
  });
  const equal = differs === null;
  if (values === undefined) return { ran: true, equal, reason: differs };
  return { ran: false, equal, reason: differs ?? reason, compared: values };
}

/** The values of two models to compare: all outputs (undefined) where both run, else those that both compute; and what does not run. */
function comparedValues(one: Model, other: Model): [values: string[] | undefined, reason: string | null] {
  const [was, is] = [parts(one), parts(other)];
  const reason = was.reason ?? is.reason;
  if (reason === null) return [undefined, null];
  return [is.last.filter((name) => was.computed.has(name)), reason];
}

interface Parts {
  /** Outputs of nodes that need no node which does not run here. */
  readonly computed: ReadonlySet<string>;
  /** The computed values that are outputs of the model, or that nodes read which do not run. */
  readonly last: readonly string[];
  /** Why the first node that does not run does not. */
  readonly reason: string | null;
}

function parts({ nodes, outputs }: Model): Parts {
  const computed = new Set<string>();
  const missing = new Set<string>();
  const read = new Set(outputs.map(({ name }) => name));
  let reason: string | null = null;
  for (const node of nodes) {
    const inputs = valuesRead(node);
    const runs = node.unsupported === null && !inputs.some((name) => missing.has(name));
    reason ??= node.unsupported;
    for (const { name } of node.outputs) if (name !== '') (runs ? computed : missing).add(name);
    if (!runs) for (const name of inputs) read.add(name);
  }
  return { computed, last: [...read].filter((name) => computed.has(name)), reason };
}

/** The names of the values that a node and the nodes of its graphs read. */
function valuesRead({ inputs, graphs }: ModelNode): readonly string[] {
  return [...inputs, ...Object.values(graphs ?? {}).flatMap((graph) => graph.flatMap(valuesRead))];
}
