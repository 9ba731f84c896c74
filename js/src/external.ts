import { invalidArgument, OnnxError } from './error.js';
import { noBytes } from './file-bytes.js';
import { type Memory, partOf, type Source } from './memory.js';
import { arrayName } from './typed-arrays.js';

/** Gives the content of a file beside a model; undefined when there is no such file. */
export type ExternalFiles = (location: string) => Uint8Array | undefined;

/** The error of a model that wants a file which is not there. @internal */
export function noFile(location: string): OnnxError {
  return invalidArgument(`external: there is no file '${location}'`);
}

function readFile(memory: Memory, external: ExternalFiles, location: string, canLack: unknown): Source | undefined {
  const bytes: unknown = external(location);
  if (arrayName(bytes) === 'Uint8Array') return memory.sourceOf(bytes as Uint8Array, `external: '${location}'`);
  if (bytes !== undefined) throw noBytes(`external: for '${location}' it returned `, bytes);
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
  const files = new Map<string, Source | undefined>();
  for (const { address: initializer, location } of wanted) {
    if (!files.has(location)) files.set(location, readFile(memory, external, location, canLack));
    const file = files.get(location);
    if (file === undefined) continue;
    memory.check(glue.allocateExternal(initializer, file.length));
    const address = memory.take();
    const start = memory.take();
    const length = memory.take();
    // The function that gives files may have given the buffer away since.
    if (!memory.copyIn(address, partOf(file, start, length)))
      throw new OnnxError('INVALID_ARGUMENT', `external: '${location}' is detached`);
    memory.check(glue.checkExternal(initializer));
  }
}
