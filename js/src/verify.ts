import { difference, roundingTolerance } from '../../shared/agreement.js';
import { OnnxError } from './error.js';
import type { Model } from './model.js';
import type { Runtime } from './runtime.js';
import type { SimplifyOptions, Verified } from './simplify-types.js';
import type { AnyTensor } from './tensor.js';
import { arrayName } from './typed-arrays.js';

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
 * Runs a model before and after, and compares what it gives. Errors of feeds are the user's to see; a model that cannot run here
 * is not compared.
 *
 * @internal
 */
export function verifySimplified(
  runtime: Runtime,
  before: Uint8Array,
  after: Uint8Array,
  options: SimplifyOptions,
): Verified {
  const external = options.external as Files | undefined;
  const models: Model[] = [];
  const feeds = { ...options.values, ...options.verify?.feeds };
  try {
    return runtime.scope(() => {
      const results = [before, after].map((bytes, i) => {
        const model = runtime.loadModel(bytes, { external });
        models.push(model);
        // An input that became a constant is gone.
        const fed = Object.entries(feeds).filter(([name]) => i === 0 || !(name in (options.values ?? {})));
        return model.run(Object.fromEntries(fed));
      }) as [{ [name: string]: AnyTensor }, { [name: string]: AnyTensor }];
      for (const [name, tensor] of Object.entries(results[1])) {
        const tolerance = options.fuseInexact === true ? roundingTolerance : undefined;
        const reason = difference(tensor, results[0][name] as AnyTensor, tolerance);
        if (reason !== undefined) return { ran: true, equal: false, reason: `output '${name}' ${reason}` };
      }
      return { ran: true, equal: true, reason: null };
    });
  } catch (error) {
    const cannotRun = error instanceof OnnxError && /^UN|MODEL|MEMORY/.test(error.code);
    if (!cannotRun) throw error;
    return { ran: false, equal: null, reason: error.message };
  } finally {
    for (const model of models) model.dispose();
  }
}
