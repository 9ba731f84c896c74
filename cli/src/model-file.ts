// Models in files, with what the package's types may not have yet.
import { type Model, type ModelNode, type ModelOptions, OnnxError, type Runtime } from 'broadloom';
import { during } from './errors.js';
import { externalFiles, readBytes, readStdin } from './files.js';
import { visible } from './visible.js';

/** How a message calls the model. */
export const modelName = (path: string): string => (path === '-' ? 'standard input' : visible(path));

export function readModelBytes(path: string): Promise<Uint8Array> | Uint8Array {
  return path === '-' ? readStdin() : readBytes(path);
}

type External = { external: (location: string) => Uint8Array };

/** Loads a model whose external data lie beside it. */
export function loadModel(ops: Runtime, path: string, bytes: Uint8Array, options: ModelOptions = {}): Model {
  try {
    return loadWith(ops, bytes, { ...options, external: externalFiles(path) });
  } catch (error) {
    throw during(modelName(path), error);
  }
}

/** A runtime that reads no external data refuses the option; models without such data need none. */
function loadWith(ops: Runtime, bytes: Uint8Array, options: ModelOptions & External): Model {
  try {
    return ops.loadModel(bytes, options);
  } catch (error) {
    if (!(error instanceof OnnxError && error.message.startsWith("loadModel: no option 'external'"))) throw error;
    const { external: _, ...others } = options;
    return ops.loadModel(bytes, others);
  }
}

/** What the file does that ONNX forbids, and that was accepted; none from a runtime that accepts nothing of the kind. */
export function warningsOf(model: Model): readonly string[] {
  return (model as { warnings?: readonly string[] }).warnings ?? [];
}

/** The graphs that a node holds, by the names of its attributes. */
export function graphsOf(node: ModelNode): [string, readonly ModelNode[]][] {
  return Object.entries((node as { graphs?: { [attribute: string]: readonly ModelNode[] } }).graphs ?? {});
}
