import { isPlainObject } from '../basics/plain.js';
import { show, tagOf } from '../basics/show.js';
import { arrayName } from '../basics/typed-arrays.js';
import { checkedPart, type FileParts, isParts, keptFile, type PendingPart, partsOf } from '../model/file-parts.js';
import { checkedSignal, checkedTransfer, type GiveFile } from './remote-connection.js';
import { copied, fileOf } from './remote-copies.js';
import type { Entry } from './remote-entry.js';
import type { RemoteFiles, RemoteSimplifyOptions } from './remote-types.js';

/** The options of a call: `signal` and `transfer`, which stay in this thread, and the others. */
export function split<O extends { signal?: unknown; transfer?: unknown }>(
  entry: Entry,
  method: string,
  options: O | undefined,
  known: readonly string[],
): { signal: AbortSignal | undefined; transfer: boolean; rest: Omit<O, 'signal' | 'transfer'> } {
  const all = [...known, 'signal', 'transfer'];
  const { signal, transfer, ...rest } = entry.checkedOptions<O>(`${method}: `, options, all);
  return {
    signal: checkedSignal(entry, method, signal),
    transfer: checkedTransfer(entry, method, transfer),
    rest,
  };
}

/** A call with the file of a model. */
export interface FileCall {
  readonly file: unknown;
  readonly given: object | undefined;
  /** Names of options besides `signal` and `transfer`. */
  readonly known: readonly string[];
  /** Whether files beside the model are read again, after the call. */
  readonly isKept?: boolean;
  /** Fails where the call would not be sent: before it takes buffers away from the caller. */
  check(signal: AbortSignal | undefined): void;
}

/** The arguments of a call with a file, copied for a worker, and what stays in this thread. */
export function copiedFile(entry: Entry, method: string, { file, given, known, isKept = false, check }: FileCall) {
  const { signal, transfer, rest: all } = split(entry, method, given as RemoteSimplifyOptions | undefined, known);
  const { external, ...rest } = all;
  const giveFile = remoteFiles(entry, method, external, isKept ? keptFile : same);
  check(signal);
  const source = fileOf(entry, file, `${method}: the file is `);
  // Together: an option that is refused must not take the file's bytes away.
  const both = [arrayName(source) && source, { ...rest, ...(giveFile && { external: true }) }];
  const { value, buffers } = copied(entry, both, `${method}: an option`, transfer, () => check(signal));
  const [bytes, options] = value as unknown[];
  return { args: [bytes ?? source, options], buffers, giveFile, signal };
}

const same = (file: unknown) => file;

/** The function that gives files beside a model, of the option `external`. `keep` makes of a file what it is later read from. */
function remoteFiles(
  entry: Entry,
  method: string,
  external: RemoteFiles | undefined,
  keep: (file: unknown) => unknown,
): GiveFile | undefined {
  if (external === undefined) return undefined;
  const find = finder(external, keep);
  if (find === undefined) {
    const wanted = 'files by location, or a function that gives them';
    throw new entry.OnnxError('INVALID_ARGUMENT', `${method}: external is ${show(external)}, wanted ${wanted}`);
  }
  const open = async (location: string): Promise<FileParts<PendingPart> | undefined> => {
    const file = keep(await find(location));
    if (file === undefined || isParts(file)) return file;
    return partsOf(fileOf(entry, file, `external: for '${location}' it gave `));
  };
  const files = new Map<string, ReturnType<typeof open>>();
  return async ({ location, offset, length }) => {
    if (!files.has(location)) files.set(location, open(location));
    const file = await files.get(location);
    if (file === undefined || offset === undefined || length === undefined) return { value: file?.size, buffers: [] };
    const wrong = (text: string) => new entry.OnnxError('INVALID_ARGUMENT', `external: '${location}': ${text}`);
    const bytes = new Uint8Array(checkedPart(await file.read(offset, length), offset, length, wrong));
    return { value: bytes, buffers: [bytes.buffer] };
  };
}

function finder(external: RemoteFiles, keep: (file: unknown) => unknown): ((location: string) => unknown) | undefined {
  if (typeof external === 'function') return external;
  const isMap = tagOf(external) === 'Map';
  if (!isMap && !isPlainObject(external)) return undefined;
  const entries = isMap ? [...(external as ReadonlyMap<string, unknown>)] : Object.entries(external);
  const files = new Map(entries.map(([location, file]) => [location, keep(file)]));
  return (location) => files.get(location);
}
