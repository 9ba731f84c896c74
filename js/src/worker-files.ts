// Files of models in the worker.
import type { OnnxError } from './error.js';
import type { Model, ModelOptions } from './model.js';
import type { Runtime } from './runtime.js';
import { tagOf } from './show.js';
import type { SimplifiedBlob, SimplifiedBytes } from './simplify-types.js';

/** Asks the other side for a file beside a model. */
export type GetFile = (location: string) => Promise<unknown>;

const isBlob = (value: unknown): value is Blob => /^(Blob|File)$/.test(tagOf(value));

/** The content of a file. */
export async function bytesOfFile(
  method: string,
  file: Uint8Array | Blob,
  errorClass: typeof OnnxError,
): Promise<Uint8Array> {
  if (!isBlob(file)) return file;
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (cause) {
    const code = (cause as Error).name === 'RangeError' ? 'OUT_OF_MEMORY' : 'INVALID_ARGUMENT';
    throw new errorClass(code, `${method}: the file cannot be read (${(cause as Error).message})`, { cause });
  }
}

/** Loads a model whose files come by messages, though `loadModel` wants them at once: they are asked for before. */
export async function loadWithFiles(
  ops: Runtime,
  bytes: Uint8Array,
  options: ModelOptions,
  getFile: GetFile,
): Promise<Model> {
  const locations = new Set<string>();
  const external = (location: string) => void locations.add(location);
  ops.loadModel(bytes, { ...options, allowUnsupported: true, external }).dispose();
  const files = new Map<string, Uint8Array | undefined>();
  for (const location of locations) {
    const file = await getFile(location);
    files.set(location, isBlob(file) ? new Uint8Array(await file.arrayBuffer()) : (file as Uint8Array | undefined));
  }
  return ops.loadModel(bytes, { ...options, external: (location) => files.get(location) });
}

/** Simplifies a file. Files beside it come by messages, which only a Blob can wait for. */
export async function simplifyFile(
  ops: Runtime,
  file: Uint8Array | Blob,
  { external, ...options }: { readonly external?: true },
  getFile: GetFile,
  buffers: ArrayBuffer[],
): Promise<SimplifiedBlob | SimplifiedBytes> {
  const withFiles = external ? { ...options, external: getFile as (location: string) => Promise<Blob> } : options;
  if (isBlob(file)) return ops.simplify(file, withFiles);
  if (!external) {
    const result = ops.simplify(file, options);
    buffers.push(result.bytes.buffer);
    return result;
  }
  const { blob, report } = await ops.simplify(new Blob([file as Uint8Array<ArrayBuffer>]), withFiles);
  const buffer = await blob.arrayBuffer();
  buffers.push(buffer);
  return { bytes: new Uint8Array(buffer), report };
}
