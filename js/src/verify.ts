import { difference, roundingTolerance } from '../../shared/agreement.js';
import { OnnxError } from './error.js';
import { noFile } from './external.js';
import type { Model } from './model.js';
import type { ModelNode } from './model-nodes.js';
import type { Runtime } from './runtime.js';
import type { SimplifyOptions, Verified } from './simplify-types.js';
import type { AnyTensor } from './tensor.js';
import { arrayName } from './typed-arrays.js';

type Results = { [name: string]: AnyTensor };
type Files = (location: string) => Uint8Array | undefined;

/**
 * The same, where files beside the models may come as Blobs or promises: each is read when a model asks for it, and then the
 * models are loaded again.
 *
 * @internal
 */
export async function verifyWithFiles(
  runtime: Runtime,
  before: Uint8Array,
  after: Uint8Array,
  options: SimplifyOptions,
): Promise<Verified> {
  const files = new Map<string, Uint8Array>();
  for (;;) {
    let missing: string | undefined;
    const external: Files = (location) => {
      const bytes = files.get(location);
      if (bytes === undefined) missing = location;
      return bytes;
    };
    try {
      return verifySimplified(runtime, before, after, { ...options, external: options.external && external });
    } catch (error) {
      const found = missing === undefined ? undefined : await options.external?.(missing);
      if (missing === undefined || found === undefined) throw error;
      files.set(
        missing,
        arrayName(found) === 'Uint8Array'
          ? (found as Uint8Array)
          : new Uint8Array(await new Blob([found as BlobPart]).arrayBuffer()),
      );
    }
  }
}

/**
 * Runs a model before and after, and compares what it gives: the outputs, or, of models with nodes that do not run here, the
 * values that both compute without these. Errors of feeds are the user's to see.
 *
 * @internal
 */
export function verifySimplified(
  runtime: Runtime,
  before: Uint8Array,
  after: Uint8Array,
  options: SimplifyOptions,
): Verified {
  const files = options.external as Files | undefined;
  // Models that lack files would be read, too.
  const external: Files | undefined =
    files &&
    ((location) => {
      const bytes = files(location);
      if (bytes === undefined) throw noFile(location);
      return bytes;
    });
  const models: Model[] = [];
  const feeds = { ...options.values, ...options.verify?.feeds };
  const run = (model: Model, values?: readonly string[]): Results => {
    // An input that became a constant is gone.
    const fed = Object.entries(feeds).filter(
      ([name]) => model === models[0] || !Object.hasOwn(options.values ?? {}, name),
    );
    return model.run(Object.fromEntries(fed), values && { outputs: values });
  };
  try {
    for (const bytes of [before, after]) models.push(runtime.loadModel(bytes, { external, allowUnsupported: true }));
    const [one, other] = models as [Model, Model];
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
  } catch (error) {
    const cannotRun = error instanceof OnnxError && /^UN|MODEL|MEMORY/.test(error.code);
    if (!cannotRun) throw error;
    return { ran: false, equal: null, reason: error.message };
  } finally {
    for (const model of models) model.dispose();
  }
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
  /** Those of them that are read by other nodes, or are outputs of the model. */
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
