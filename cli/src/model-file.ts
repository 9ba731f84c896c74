// Models in files.
import { dirname, join } from 'node:path';
import type { FileParts, Model, ModelNode, ModelOptions, Runtime } from 'broadloom';
import { visible } from '../../shared/visible.js';
import { during, toFailure } from './errors.js';
import { externalFiles, plainPath, readBytes, readStdin } from './files.js';

/** How a message calls the model. */
export const modelName = (path: string): string => (path === '-' ? 'standard input' : visible(path));

export function readModelBytes(path: string): Promise<Uint8Array> | Uint8Array {
  return path === '-' ? readStdin() : readBytes(path);
}

/** Loads a model whose external data lie beside it. */
export function loadModel(ops: Runtime, path: string, bytes: Uint8Array, options: ModelOptions = {}): Model {
  return load(ops, path, bytes, { external: externalFiles(path), ...options });
}

/** The paths of the files that a model is read from: its own, and those with its weights. */
export function filesOf(path: string, { initializers }: Model): string[] {
  const locations = new Set(initializers.flatMap(({ external }) => external?.location ?? []));
  const folder = plainPath(dirname(path));
  return [path, ...[...locations].map((location) => join(folder, location))];
}

export interface LookedAt {
  readonly model: Model;
  /** Why files beside it cannot be read, by location. */
  readonly unread: ReadonlyMap<string, string>;
  /** Why it was loaded without all files beside it. */
  readonly problem: string | undefined;
}

/** Loads a model to be looked at, with those files beside it that can be read: even without one, it has its graph. */
export function loadToLookAt(ops: Runtime, path: string, bytes: Uint8Array): LookedAt {
  const unread = new Map<string, string>();
  const files = externalFiles(path);
  const external = (location: string): FileParts | undefined => {
    try {
      return files(location);
    } catch (error) {
      unread.set(location, toFailure(error).message);
      return undefined;
    }
  };
  try {
    return { model: loadModel(ops, path, bytes, { allowUnsupported: true, external }), unread, problem: undefined };
  } catch (error) {
    // A damaged file fails again, in the same words.
    const problem = toFailure(error).message;
    return { model: load(ops, path, bytes, { allowUnsupported: true }), unread: new Map(), problem };
  }
}

function load(ops: Runtime, path: string, bytes: Uint8Array, options: ModelOptions): Model {
  try {
    return ops.loadModel(bytes, options);
  } catch (error) {
    throw during(modelName(path), error);
  }
}

/** The graphs that a node holds, by the names of its attributes. */
export function graphsOf(node: ModelNode): [string, readonly ModelNode[]][] {
  return Object.entries(node.graphs ?? {});
}
