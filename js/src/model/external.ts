import { invalidArgument, OnnxError } from '../basics/error.js';
import { noBytes } from '../basics/file-bytes.js';
import { arrayName } from '../basics/typed-arrays.js';
import { type Memory, partOf, type Source } from '../calls/memory.js';
import { checkedPart, type FileParts, isParts, wantedFile } from './file-parts.js';

/** Gives a file beside a model: its content, or what reads parts of it; undefined when there is no such file. */
export type ExternalFiles = (location: string) => Uint8Array | FileParts | undefined;

/** The error of a model that wants a file which is not there. @internal */
export function noFile(location: string): OnnxError {
  return invalidArgument(`external: there is no file '${location}'`);
}

interface File {
  readonly size: number;
  part(offset: number, length: number): Source;
}

function openFile(memory: Memory, external: ExternalFiles, location: string, canLack: unknown): File | undefined {
  const file: unknown = external(location);
  const what = `external: '${location}'`;
  if (arrayName(file) === 'Uint8Array') {
    const source = memory.sourceOf(file as Uint8Array, what);
    return { size: source.length, part: (offset, length) => partOf(source, offset, length) };
  }
  if (isParts(file)) {
    const wrong = (text: string) => invalidArgument(`${what}: ${text}`);
    const part = (offset: number, length: number) =>
      memory.sourceOf(checkedPart(file.read(offset, length), offset, length, wrong), what);
    return { size: file.size, part };
  }
  if (file !== undefined) throw noBytes(`external: for '${location}' it returned `, file, wantedFile);
  if (!canLack) throw noFile(location);
  return undefined;
}

/**
 * Copies the elements that a model has in other files into it. Each file is asked for once. With `canLack`, initializers whose
 * file is not there stay without elements.
 *
 * @internal
 */
export function giveExternal(memory: Memory, model: number, external: ExternalFiles, canLack: unknown): void {
  const { glue } = memory;
  memory.check(glue.describeExternal(model));
  const wanted = memory.takeJson<{ address: number; location: string }[]>();
  const files = new Map<string, File | undefined>();
  for (const { address: initializer, location } of wanted) {
    if (!files.has(location)) files.set(location, openFile(memory, external, location, canLack));
    const file = files.get(location);
    if (file === undefined) continue;
    memory.check(glue.allocateExternal(initializer, file.size));
    const address = memory.take();
    const start = memory.take();
    const length = memory.take();
    // The function that gives files may have given the buffer away since.
    if (!memory.copyIn(address, file.part(start, length)))
      throw new OnnxError('INVALID_ARGUMENT', `external: '${location}' is detached`);
    memory.check(glue.checkExternal(initializer));
  }
}
