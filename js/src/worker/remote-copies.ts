// Copies of the values that a call is given, for the worker: what the caller changes afterwards does not matter.

import { isPlainObject } from '../basics/plain.js';
import { show, tagOf } from '../basics/show.js';
import { arrayName } from '../basics/typed-arrays.js';
import type { Copied } from './remote-connection.js';
import type { Entry } from './remote-entry.js';

/** A tensor has up to 255 axes; a value that is within itself has levels without end. */
const mostLevels = 300;

type Maker = new (buffer: ArrayBuffer) => ArrayBufferView<ArrayBuffer>;

const isBuffer = (value: unknown): value is ArrayBuffer => /^(Shared)?ArrayBuffer$/.test(tagOf(value));

/** Copies plain data, tensors and typed arrays, and lists the buffers that can move. */
class Copier {
  readonly buffers = new Set<ArrayBuffer>();
  readonly #entry: Entry;
  readonly #transfer: boolean;

  constructor(entry: Entry, transfer: boolean) {
    this.#entry = entry;
    this.#transfer = transfer;
  }

  /** `place` names the value in errors; it is `depth` levels within what the call was given. */
  copy(value: unknown, place: string, depth = 0): unknown {
    if (typeof value === 'function' || typeof value === 'symbol') throw this.#refused(value, place);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > mostLevels)
      throw new this.#entry.OnnxError('INVALID_ARGUMENT', `${place} has more than ${mostLevels} levels of values`);
    const copyOf = (one: unknown) => this.copy(one, place, depth + 1);
    if (Array.isArray(value)) return Array.from(value, copyOf);
    const name = arrayName(value);
    if (name !== undefined) return this.#copyArray(value as ArrayBufferView<ArrayBuffer>, name);
    const { toMessage } = value as { toMessage?: unknown };
    if (typeof toMessage === 'function') {
      const message: unknown = toMessage.call(value);
      // A message of another library's object may hold the caller's elements, or be anything: it is copied.
      return this.#entry.isTensor(value) ? this.#message(message as { data: unknown }) : copyOf(message);
    }
    // Tensors of other libraries have their fields on a prototype.
    if ('type' in value && 'dims' in value && 'data' in value)
      return { type: value.type, dims: copyOf(value.dims), data: copyOf(value.data) };
    if (!isPlainObject(value)) throw this.#refused(value, place);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copyOf(one)]));
  }

  /** A message of a tensor has elements of its own. */
  #message(message: { data: unknown }): unknown {
    const { data } = message;
    if (ArrayBuffer.isView(data)) this.buffers.add(data.buffer as ArrayBuffer);
    return message;
  }

  #copyArray(array: ArrayBufferView<ArrayBuffer>, name: string): unknown {
    const { buffer, offset, length } = this.#entry.bytesOf(array, 'the elements');
    if (this.#transfer && tagOf(buffer) === 'ArrayBuffer') {
      this.buffers.add(buffer);
      return array;
    }
    const { buffer: copy } = new Uint8Array(new Uint8Array(buffer, offset, length));
    this.buffers.add(copy);
    return new ((globalThis as unknown as { [name: string]: Maker })[name] as Maker)(copy);
  }

  #refused(value: unknown, place: string): Error {
    return new this.#entry.OnnxError('INVALID_ARGUMENT', `${place} is ${show(value)}, which no worker can be given`);
  }
}

const noCheck = () => {};

/**
 * A copy of a value for the worker. With `transfer`, its buffers move at once; the buffer of a runtime's memory cannot move.
 * `check` fails where the call is not sent: the value's getters may have stopped it, and then its buffers stay.
 */
export function copied(entry: Entry, value: unknown, place: string, transfer = false, check = noCheck): Copied {
  const copier = new Copier(entry, transfer);
  const copy = { value: copier.copy(value, place), buffers: [...copier.buffers] };
  check();
  if (!transfer) return copy;
  try {
    return structuredClone(copy, { transfer: copy.buffers });
  } catch {
    return copied(entry, value, place);
  }
}

/** Copies of feeds, as `copied` makes them. */
export function copiedFeeds(entry: Entry, feeds: object, transfer: boolean, check: () => void): Copied {
  const wrong = Object.entries(isPlainObject(feeds) ? feeds : {}).find(([, feed]) => !isSendable(feed));
  if (wrong !== undefined) throw entry.noTensor(`input '${wrong[0]}' is `, wrong[1]);
  return copied(entry, feeds, 'feeds', transfer, check);
}

/** Whether it is a tensor, or plain data: the worker knows what to say of that. */
function isSendable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && typeof value !== 'symbol';
  return 'data' in value || Array.isArray(value) || ArrayBuffer.isView(value) || isPlainObject(value);
}

/** A file as a Blob, which stays what it is, or as bytes. */
export function fileOf(entry: Entry, file: unknown, what: string): unknown {
  if (/^(Blob|File)$/.test(tagOf(file))) return file;
  try {
    const bytes = isBuffer(file) ? new Uint8Array(file) : file;
    if (arrayName(bytes) === 'Uint8Array') return bytes;
  } catch {
    throw new entry.OnnxError('INVALID_ARGUMENT', `${what}${show(file)} that was detached`);
  }
  throw entry.noBytes(what, file, 'a Uint8Array, an ArrayBuffer or a Blob');
}
