import { show, tagOf } from '../basics/show.js';
import { OnnxError } from '../entries/index.js';
import { type FileParts, isBlob, type PendingPart, partsOf } from '../model/file-parts.js';
import { localFilesBeside, openLocalFile, readLocalFile } from '../model/local-file.js';
import type { ExternalDataFileType } from './session.js';

/** The address or path by which a file is given, if it is. */
const addressOf = (file: unknown): string | undefined =>
  typeof file === 'string' || tagOf(file) === 'URL' ? String(file) : undefined;

/** The content of a file that is given by its address, its path or its content. */
export async function readFile(file: unknown, what: string): Promise<Uint8Array> {
  const address = addressOf(file);
  if (address !== undefined) return readAddress(address, what);
  const tag = tagOf(file);
  if (tag === 'Blob' || tag === 'File') return new Uint8Array(await (file as Blob).arrayBuffer());
  if (tag === 'ArrayBuffer' || tag === 'SharedArrayBuffer') return bytesIn(file as ArrayBuffer, what);
  if (ArrayBuffer.isView(file)) return bytesIn(file.buffer, what, file.byteOffset, file.byteLength);
  throw new OnnxError('INVALID_ARGUMENT', `${what} is ${show(file)}, wanted an address, a path, a Blob or bytes`);
}

/** Bytes of a buffer, which may have been transferred. */
export function bytesIn(buffer: ArrayBufferLike, what: string, offset?: number, length?: number): Uint8Array {
  try {
    return new Uint8Array(buffer, offset, length);
  } catch (cause) {
    throw new OnnxError('INVALID_ARGUMENT', `${what} cannot be read (${(cause as Error).message})`, { cause });
  }
}

async function readAddress(address: string, what: string): Promise<Uint8Array> {
  try {
    const local = await readLocalFile(address);
    if (local !== undefined) return local;
    const response = await fetch(address);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw noFileAt(address, what, cause);
  }
}

const refusal = (message: string) => new OnnxError('INVALID_ARGUMENT', message);

function noFileAt(address: string, what: string, cause: unknown): OnnxError {
  if (cause instanceof OnnxError) return cause;
  return new OnnxError('INVALID_ARGUMENT', `${what}: no file at ${address} (${(cause as Error).message})`, { cause });
}

/** A file with initializers, read where it is needed. Bytes are here; the parts of a Blob are waited for. */
type Neighbour = Uint8Array | FileParts<PendingPart>;

/** The files with initializers. */
interface Files {
  /** Gives one. Fails where it is not there. */
  readonly external: (location: string) => FileParts<PendingPart>;
  /** Whether there may be any. */
  readonly areThere: boolean;
  /** Whether parts of one have to be waited for. */
  readonly arePending: boolean;
}

/** A path in the form in which the core names files. */
const plainPath = (path: string) => path.replaceAll('\\', '/').replace(/^(\.\/)+/, '');

/** A file with initializers. Of a local file and a Blob nothing is read yet. */
async function openFile(file: unknown, what: string): Promise<Neighbour> {
  if (isBlob(file)) return partsOf(file) as FileParts<PendingPart>;
  const address = addressOf(file);
  if (address === undefined) return readFile(file, what);
  try {
    const local = openLocalFile(address, refusal);
    if (local !== undefined) return local;
  } catch (cause) {
    throw noFileAt(address, what, cause);
  }
  return readAddress(address, what);
}

/**
 * The files with initializers: those that are given, and those beside a local file. `counted` sees how many bytes are read, and
 * `check` sees those of addresses.
 */
export async function readExternalFiles(
  options: readonly ExternalDataFileType[] | null | undefined,
  model: unknown,
  counted: (bytes: number) => void,
  check: (location: string, bytes: Uint8Array, part: string) => void,
): Promise<Files> {
  const beside = typeof model === 'string' ? localFilesBeside(model, refusal) : undefined;
  const given = options ?? [];
  if (!Array.isArray(given)) throw new TypeError(`'externalData' is ${show(given)}, wanted a list of files`);
  const files = new Map<string, Neighbour>();
  const contents = new Set<string>(); // of files that are not read from an address
  for (const one of given as readonly unknown[]) {
    const { path, data } = (typeof one === 'string' ? { path: one, data: one } : (one ?? {})) as {
      readonly path?: unknown;
      readonly data?: unknown;
    };
    if (typeof path !== 'string')
      throw new TypeError(`'externalData' has ${show(one)}, wanted an address or { path, data }`);
    files.set(plainPath(path), await openFile(data, `externalData: '${path}'`));
    if (addressOf(data) === undefined) contents.add(plainPath(path));
  }
  const external = (location: string): FileParts<PendingPart> => {
    const file = partsOf(files.get(plainPath(location)) ?? beside?.(location));
    if (file !== undefined) {
      const read = (offset: number, length: number) => {
        counted(length);
        const part = file.read(offset, length);
        if (contents.has(plainPath(location))) return part;
        const checked = (bytes: Uint8Array) => {
          check(location, bytes, `${offset} ${length}`);
          return bytes;
        };
        return ArrayBuffer.isView(part) ? checked(part) : part.then(checked);
      };
      return { size: file.size, read };
    }
    const option = `externalData: [{ path: '${location}', data }]`;
    throw new OnnxError('INVALID_MODEL', `the model has weights in '${location}', which is not there: pass ${option}`);
  };
  const arePending = given.some((one) => isBlob((one as { data?: unknown } | null)?.data));
  return { external, areThere: files.size > 0 || beside !== undefined, arePending };
}
