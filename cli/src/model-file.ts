// Models in files.
import type { Model, ModelNode, ModelOptions, Runtime } from 'broadloom';
import { visible } from '../../shared/visible.js';
import { during } from './errors.js';
import { externalFiles, readBytes, readStdin } from './files.js';

/** How a message calls the model. */
export const modelName = (path: string): string => (path === '-' ? 'standard input' : visible(path));

export function readModelBytes(path: string): Promise<Uint8Array> | Uint8Array {
  return path === '-' ? readStdin() : readBytes(path);
}

/** Loads a model whose external data lie beside it. */
export function loadModel(ops: Runtime, path: string, bytes: Uint8Array, options: ModelOptions = {}): Model {
  return load(ops, path, bytes, { ...options, external: externalFiles(path) });
}

/** Loads a model to be looked at, without external data. */
export function loadAlone(ops: Runtime, path: string, bytes: Uint8Array): Model {
  return load(ops, path, bytes, { allowUnsupported: true });
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
