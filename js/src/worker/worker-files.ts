// Files of models in the worker.
import type { OnnxError } from '../basics/error.js';
import { isBlob } from '../model/file-parts.js';
import type { PendingFiles } from '../model/load-with-files.js';
import type { Runtime } from '../runtime/runtime.js';
import type { SimplifiedBlob, SimplifiedBytes } from '../simplify/types.js';

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

/** Simplifies a file. Files beside it come by messages, which only a Blob can wait for. */
export async function simplifyFile(
  ops: Runtime,
  file: Uint8Array | Blob,
  { external, ...options }: { readonly external?: true },
  getFile: PendingFiles,
  buffers: ArrayBuffer[],
): Promise<SimplifiedBlob | SimplifiedBytes> {
  const withFiles = external ? { ...options, external: async (location: string) => getFile(location) } : options;
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
