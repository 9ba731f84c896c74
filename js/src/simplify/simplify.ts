import { invalidArgument, OnnxError } from '../basics/error.js';
import { noBytes } from '../basics/file-bytes.js';
import { checkedOptions } from '../basics/names.js';
import { isPlainObject } from '../basics/plain.js';
import { show } from '../basics/show.js';
import { arrayName } from '../basics/typed-arrays.js';
import { SimplifyState } from '../calls/bindings.generated.js';
import type { Context } from '../calls/context.js';
import { type Memory, partOf, type Source } from '../calls/memory.js';
import { noFile } from '../model/external.js';
import { formOf, readFeed } from '../model/feeds.js';
import {
  checkedPart,
  type FileParts,
  isBlob,
  isParts,
  type PendingPart,
  partsOf,
  wantedFile,
} from '../model/file-parts.js';
import { freeAll, type Given, handleOf, type Literal, makeAll, noTensor, ofInput } from '../tensor/elements.js';
import { type Result, takeResult, type Wanted } from './report.js';
import type { SimplifyOptions } from './types.js';

/** @internal */
export const simplifyOptions = [
  'dims',
  'shapes',
  'values',
  'outputs',
  'maxGrowth',
  'unroll',
  'fuseInexact',
  'valueInfo',
  'trustNames',
  'skip',
  'external',
  'verify',
];

type Steps = Generator<Wanted | Uint8Array<ArrayBuffer>, Result, Uint8Array | undefined>;

function entries(what: string, given: object | null | undefined): [string, unknown][] {
  if (given == null) return [];
  if (!isPlainObject(given)) throw invalidArgument(`simplify: ${what} are ${show(given)}, wanted an object by name`);
  return Object.entries(given).filter(([, value]) => value !== undefined);
}

function checkedCount(what: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalidArgument(`simplify: ${what} is ${show(value)}, wanted an integer of at least 0`);
}

/** Bytes, where they may be a percentage of the file's. */
function checkedGrowth(value: unknown, fileBytes: number): number {
  if (typeof value === 'string' && /^\d+(\.\d+)?%$/.test(value))
    return Math.min(Math.floor((Number.parseFloat(value) / 100) * fileBytes), Number.MAX_SAFE_INTEGER);
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalidArgument(
    `simplify: maxGrowth is ${show(value)}, wanted an integer of at least 0, or a part of the file such as '10%'`,
  );
}

function checkedFlag(what: string, value: unknown): boolean {
  if (value == null || typeof value === 'boolean') return value ?? false;
  throw invalidArgument(`simplify: ${what} is ${show(value)}, wanted true or false`);
}

function checkedSize(input: string, axis: number, size: unknown): number | string | null {
  if (size === null || size === undefined) return null;
  // A name of digits is a number in the wrong form: it would name the size and fix nothing.
  if (typeof size === 'string' && Number.isNaN(Number(size))) return size;
  if (typeof size === 'number' && Number.isSafeInteger(size) && size >= 0) return size;
  throw invalidArgument(
    `simplify: shapes: size ${axis} of '${input}' is ${show(size)}, wanted a number, a name, or null for what is declared`,
  );
}

function checkedList(what: string, value: unknown): readonly unknown[] {
  // A copy: what is checked is what is read later, whatever getters do.
  if (Array.isArray(value)) return [...value];
  throw invalidArgument(`simplify: ${what} is ${show(value)}, wanted a list`);
}

/** The request to the core (read_request in bindings/descriptions/simplify_exports.cpp). Absent members have defaults. */
interface Request {
  readonly sizes: readonly { name: string; size: number }[];
  /** A dim is a number, a name, or null for what is declared. */
  readonly shapes: readonly { input: string; dims: readonly (number | string | null)[] }[];
  /** `value` is a tensor. Its form comes from {@link FeedForm}. */
  readonly values: readonly { input: string; form: number; value: number }[];
  readonly outputs?: readonly string[] | undefined;
  readonly growth?: number | undefined;
  readonly unroll: number;
  readonly fuseInexact: boolean;
  readonly valueInfo: boolean;
  readonly trustNames: boolean;
  readonly external: boolean;
  readonly skip: readonly string[];
}

function checkedNames(what: string, wanted: string, value: unknown): readonly string[] {
  const names = checkedList(what, value);
  for (const name of names) {
    if (typeof name !== 'string') throw invalidArgument(`simplify: ${what} has ${show(name)}, wanted ${wanted}`);
  }
  return names as readonly string[];
}

/** Reads the options, and starts. All that runs code of the user's comes first. */
function startSimplify(context: Context, size: number, options: SimplifyOptions | undefined): Steps {
  const { memory } = context;
  const given = checkedOptions('simplify: ', options, simplifyOptions);
  const sizes = entries('dims', given.dims).map(([name, value]) => ({
    name,
    size: checkedCount(`dims: '${name}'`, value),
  }));
  const shapes = entries('shapes', given.shapes).map(([input, value]) => ({
    input,
    dims: checkedList(`shapes: '${input}'`, value).map((one, axis) => checkedSize(input, axis, one)),
  }));
  entries('verify: feeds', checkedOptions('simplify: verify: ', given.verify, ['feeds']).feeds);
  const literals: Literal[] = [];
  const values = entries('values', given.values).map(([name, value]): [string, Given] => {
    const tensor = ofInput(name, () => readFeed(context, value, literals));
    if (tensor === undefined) throw noTensor(`simplify: values: '${name}' is `, value);
    return [name, tensor];
  });
  const outputs = given.outputs == null ? undefined : checkedNames('outputs', 'names', given.outputs);
  const skip = given.skip == null ? [] : checkedNames('skip', 'names of passes', given.skip);
  const growth = given.maxGrowth == null ? undefined : checkedGrowth(given.maxGrowth, size);
  const unroll = checkedCount('unroll', given.unroll ?? 0);
  const fuseInexact = checkedFlag('fuseInexact', given.fuseInexact);
  const valueInfo = checkedFlag('valueInfo', given.valueInfo);
  const trustNames = checkedFlag('trustNames', given.trustNames);
  const { external } = given;
  if (external !== undefined && typeof external !== 'function')
    throw invalidArgument(`simplify: external is ${show(external)}, wanted a function that gives the bytes of a file`);
  try {
    makeAll(context, literals);
    const request: Request = {
      ...{ sizes, shapes, outputs, growth, unroll, fuseInexact, valueInfo, trustNames, skip },
      values: values.map(([input, tensor]) => ({ input, form: formOf(tensor), value: handleOf(tensor) })),
      external: external !== undefined,
    };
    memory.begin();
    memory.json(request);
    memory.check(memory.glue.startSimplification(size));
  } finally {
    freeAll(context, literals);
  }
  return steps(context, takeStep(context), external !== undefined);
}

/** The next step of the core: it asks for bytes, or gives some to be kept. */
interface Step {
  readonly handle: number;
  readonly address: number;
  readonly wanted?: Wanted;
  readonly kept?: Uint8Array<ArrayBuffer>;
}

/** The model's file, or one beside it, in errors. */
const fileAt = (location: string): string => (location ? `external: '${location}'` : 'the file');

function takeStep({ memory }: Context): Step {
  const handle = memory.take();
  const state = memory.take();
  if (state === SimplifyState.done) return { handle, address: 0 };
  const address = memory.take();
  if (state === SimplifyState.givesChunk) return { handle, address, kept: memory.copyOut(address, memory.take()) };
  return { handle, address, wanted: { offset: memory.take(), length: memory.take(), location: memory.takeString() } };
}

function* steps(context: Context, first: Step, hasExternal: boolean): Steps {
  const { memory } = context;
  let step = first;
  let { handle } = step;
  try {
    while (step.wanted !== undefined || step.kept !== undefined) {
      const bytes = yield (step.wanted ?? step.kept) as Wanted | Uint8Array<ArrayBuffer>;
      if (step.wanted !== undefined) {
        const { length, offset, location } = step.wanted;
        const source = bytes && memory.sourceOf(bytes, 'the bytes');
        if (source?.length !== length) throw tooShort(location, offset, length, offset + (source?.length ?? 0));
        memory.copyIn(step.address, partOf(source, 0, length));
      }
      const going = handle;
      handle = 0; // after an error it is freed
      memory.check(memory.glue.continueSimplification(going));
      step = takeStep(context);
      handle = step.handle;
    }
    memory.check(memory.glue.describeSimplification(handle));
    return takeResult(context, hasExternal);
  } finally {
    if (handle !== 0) memory.glue.disposeSimplification(handle);
  }
}

// ---- Files in memory ----

/** Simplifies a model file in memory, in one call. @internal */
export function simplifyBytes(context: Context, bytes: Uint8Array, options: SimplifyOptions | undefined) {
  const { memory } = context;
  const going = startSimplify(context, memory.sourceOf(bytes, 'the bytes').length, options);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const files = new Map<string, Uint8Array | FileParts<PendingPart>>();
  const read = (wanted: Wanted): Uint8Array => {
    const { location, offset } = wanted;
    if (location === '') return offset < 0 ? (chunks[-1 - offset] as Uint8Array) : partOfFile(memory, bytes, wanted);
    let other = files.get(location);
    if (other === undefined) {
      const found: unknown = options?.external?.(location);
      if (found === undefined) throw noFile(location);
      if (!isParts(found) && arrayName(found) !== 'Uint8Array')
        throw noBytes(`external: for '${location}' it returned `, found, wantedFile);
      other = found as Uint8Array | FileParts;
      files.set(location, other);
    }
    return isParts(other) ? checked(readPart(other, wanted), wanted) : partOfFile(memory, other, wanted);
  };
  let step = going.next();
  while (!step.done) {
    if ('location' in step.value) {
      step = resume(going, () => read(step.value as Wanted));
    } else {
      chunks.push(step.value);
      step = going.next();
    }
  }
  const { pieces, report } = step.value;
  const result = new Uint8Array(report.after.bytes);
  let at = 0;
  for (const piece of pieces) {
    result.set('location' in piece ? read(piece) : piece, at);
    at += piece.length;
  }
  return { bytes: result, report };
}

const sourceOf = (memory: Memory, file: Uint8Array, location: string): Source =>
  memory.sourceOf(file, `simplify: the bytes of ${fileAt(location)}`);

/** A part of a file. Each time it is looked for: `external` may have detached the file, or made it shorter. */
function partOfFile(memory: Memory, file: Uint8Array, { location, offset, length }: Wanted): Uint8Array {
  const source = sourceOf(memory, file, location);
  if (source.length < offset + length) throw tooShort(location, offset, length, source.length);
  return partOf(source, offset, length).bytes();
}

/** The parts of a file in memory, which may be the runtime's: that one may grow meanwhile. */
function partsIn(memory: Memory, file: Uint8Array, location: string): FileParts {
  const source = sourceOf(memory, file, location);
  return { size: source.length, read: (offset, length) => partOf(source, offset, length).bytes() };
}

/** A part of a file that gives parts. It may be a promise; what it is, is checked where it is there. */
function readPart(file: FileParts<PendingPart>, { location, offset, length }: Wanted): PendingPart {
  if (file.size < offset + length) throw tooShort(location, offset, length, file.size);
  return file.read(offset, length);
}

const checked = (part: unknown, { location, offset, length }: Wanted): Uint8Array =>
  checkedPart(part, offset, length, (text) => invalidArgument(`simplify: ${fileAt(location)}: ${text}`));

function tooShort(location: string, offset: number, length: number, size: number): OnnxError {
  return invalidArgument(
    `simplify: ${fileAt(location)} does not have the bytes from ${offset} to ${offset + length}: it has ${size}${advice(size, offset + length)}`,
  );
}

/** Node's openAsBlob counts the bytes of a file in 32 bits. */
const advice = (size: number, end: number) =>
  size < 2 ** 32 && end > 2 ** 32
    ? ' (a Blob of openAsBlob has no more than 4 GiB: filesBeside() reads files of any size)'
    : '';

/** Goes on with what was read; what fails there ends the steps. */
function resume(going: Steps, read: () => Uint8Array) {
  let bytes: Uint8Array;
  try {
    bytes = read();
  } catch (error) {
    return going.throw(error);
  }
  return going.next(bytes);
}

// ---- Blobs ----

/** Simplifies a model file in a Blob, and reads only the parts that are needed. @internal */
export async function simplifyBlob(context: Context, file: Blob, options: SimplifyOptions | undefined) {
  const going = startSimplify(context, file.size, options);
  const chunks: Blob[] = [];
  const files = new Map<string, FileParts<PendingPart>>();
  const partOfFile = ({ offset, length }: Wanted): Blob =>
    offset < 0 ? (chunks[-1 - offset] as Blob) : file.slice(offset, offset + length);
  const read = async (wanted: Wanted): Promise<Uint8Array> => {
    const { location } = wanted;
    if (location === '') return readable(partOfFile(wanted).arrayBuffer(), location).then((it) => new Uint8Array(it));
    let other = files.get(location);
    if (other === undefined) {
      const found: unknown = await options?.external?.(location);
      if (found === undefined) throw noFile(location);
      other =
        arrayName(found) === 'Uint8Array' ? partsIn(context.memory, found as Uint8Array, location) : partsOf(found);
      if (other === undefined)
        throw noBytes(`external: for '${location}' it gave `, found, 'a Uint8Array, a Blob or { size, read }');
      files.set(location, other);
    }
    return checked(await readable(readPart(other, wanted), location), wanted);
  };
  let step = going.next();
  while (!step.done) {
    if ('location' in step.value) {
      const wanted = step.value;
      const bytes = await read(wanted).catch((error: unknown) => ({ error }));
      step = 'error' in bytes ? going.throw(bytes.error) : going.next(bytes);
    } else {
      chunks.push(new Blob([step.value]));
      step = going.next();
    }
  }
  const { pieces, report } = step.value;
  const parts = pieces.map((piece) => ('location' in piece ? partOfFile(piece) : piece));
  const blob = new Blob(parts);
  if (blob.size === report.after.bytes) return { blob, report };
  // Bun drops files' Blobs from a Blob of several parts: there they are read.
  const bytes = await Promise.all(parts.map((part) => (isBlob(part) ? part.arrayBuffer() : part)));
  return { blob: new Blob(bytes), report };
}

/** The part that was read; an error there names the file. */
async function readable<B>(part: B | PromiseLike<B>, location: string): Promise<B> {
  try {
    return await part;
  } catch (cause) {
    throw new OnnxError(
      'INVALID_ARGUMENT',
      `simplify: ${fileAt(location)} cannot be read: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
}
