import { type ErrorCode, errorCodes, OnnxError } from './error.js';
import type { Glue } from './glue.js';
import { type Dtype, type TypedArray, viewOf } from './types.js';

const encoder = new TextEncoder();
// Strings of tensors may start with U+FEFF; texts that are not UTF-8 do not get here (the core refuses them).
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const loneSurrogate = /\p{Surrogate}/u;

interface View {
  readonly address: number;
  readonly count: number;
  readonly buffer: ArrayBuffer;
  readonly view: TypedArray;
}

/**
 * The wasm heap, and the page through which arguments and results pass (bindings/frame.h). The only code that sees
 * addresses become values. Views are renewed whenever the heap has grown: growth detaches them.
 *
 * A call writes its arguments (`begin`, `number`, `string` ...), calls a function of `glue`, passes its return value to
 * `check`, and reads the results (`take`, `takeString` ...).
 */
export class Memory {
  readonly glue: Glue;
  readonly #memory: WebAssembly.Memory;
  #buffer = new ArrayBuffer(0);
  #words = new Float64Array(0);
  #bigints = new BigInt64Array(0);
  #bytes = new Uint8Array(0);
  #page = 0; // index of the page's first word
  #limit = 0; // index of the word behind it
  #at = 0;
  readonly #views: View[] = []; // the last of each type

  constructor(glue: Glue, memory: WebAssembly.Memory) {
    this.glue = glue;
    this.#memory = memory;
    this.#reserve(0);
  }

  get heapBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  // ---- Arguments ----

  /** Starts the arguments of a call. */
  begin(): void {
    if (this.#words.length === 0) this.#renew();
    this.#at = this.#page;
  }

  number(value: number): void {
    if (this.#at === this.#limit) this.#grow(1);
    this.#words[this.#at++] = value;
  }

  bigint(value: bigint): void {
    if (this.#at === this.#limit) this.#grow(1);
    this.#bigints[this.#at++] = value;
  }

  /** A list of integers: its length, then its values. Sizes, dims, shapes; the core checks their values. */
  integers(values: ArrayLike<number | bigint>, what: string, index?: number): void {
    const length = values.length;
    this.number(length);
    for (let i = 0; i < length; i++) {
      const value = values[i];
      const number = typeof value === 'bigint' ? Number(value) : value;
      if (typeof number !== 'number' || (number !== value && !Number.isSafeInteger(number))) {
        throw new OnnxError(
          'INVALID_ARGUMENT',
          `${what}${index ?? ''}: entry ${i} is ${show(value)}, which is no integer below 2^53`,
        );
      }
      this.number(number);
    }
  }

  string(value: string): void {
    const room = (value.length * 3 + 7) >>> 3;
    if (this.#at + 1 + room > this.#limit) this.#grow(1 + room);
    const start = (this.#at + 1) * 8;
    let length = 0;
    // Names are short and ASCII.
    while (length < 32 && length < value.length) {
      const unit = value.charCodeAt(length);
      if (unit > 127) break;
      this.#bytes[start + length++] = unit;
    }
    if (length < value.length) {
      if (loneSurrogate.test(value))
        throw new OnnxError('INVALID_ARGUMENT', 'a string has a lone surrogate: it is not Unicode');
      length = encoder.encodeInto(value, this.#bytes.subarray(start, start + room * 8)).written;
    }
    this.#words[this.#at] = length;
    this.#at += 1 + ((length + 7) >>> 3);
  }

  /** Puts the bytes of a file on the page, alone, and returns how many there are. */
  file(bytes: Uint8Array): number {
    const source = this.sourceOf(bytes);
    const size = bytes.byteLength;
    this.#reserve(size);
    this.#bytes.set(source(), this.#page * 8);
    return size;
  }

  // ---- Results ----

  /** Takes what a function of the glue returned: throws the error if it is one, else goes to the start of the results. */
  check(returned: number): void {
    if (this.#words.length === 0) this.#renew();
    this.#at = Math.abs(returned) / 8;
    if (this.#at !== this.#page) {
      this.#page = this.#at;
      this.#limit = this.#page; // of unknown size: the next frame asks for room
    }
    if (returned < 0) throw this.#error();
  }

  take(): number {
    return this.#words[this.#at++] as number;
  }

  /** Goes back to the start of the results. */
  rewind(): void {
    this.#at = this.#page;
  }

  takeString(): string {
    const length = this.take();
    const start = this.#at * 8;
    this.#at += Math.ceil(length / 8);
    return decoder.decode(this.#bytes.subarray(start, start + length));
  }

  takeNumbers(count: number): number[] {
    const start = this.#at;
    this.#at += count;
    return Array.from(this.#words.subarray(start, start + count));
  }

  #error(): OnnxError {
    const code = errorCodes[this.take()] as ErrorCode;
    const opset = this.take() || undefined;
    const operator = this.takeString() || undefined;
    const node = this.takeString() || undefined;
    return new OnnxError(code, this.takeString(), { operator, opset, node });
  }

  // ---- Tensor bytes ----

  /** A view of a tensor's elements; stale as soon as its length is 0. */
  view(dtype: Dtype, address: number, count: number): TypedArray {
    if (this.#words.length === 0) this.#renew();
    // Results of one size often follow one another at the same place: making an array takes 40 ns.
    let last = this.#views[dtype.id];
    if (last?.address !== address || last.count !== count || last.buffer !== this.#buffer) {
      last = { address, count, buffer: this.#buffer, view: viewOf(dtype, this.#buffer, address, count) };
      this.#views[dtype.id] = last;
    }
    return last.view;
  }

  /** The bytes of an array, to be asked for after allocating: should they lie in this heap, growth detaches the array. */
  sourceOf({ buffer, byteOffset, byteLength }: ArrayBufferView): () => Uint8Array {
    const memory = buffer === this.#memory.buffer ? this.#memory : { buffer };
    return () => new Uint8Array(memory.buffer as ArrayBuffer, byteOffset, byteLength);
  }

  /** Copies `bytes` to `address`. */
  copyIn(address: number, bytes: Uint8Array): void {
    new Uint8Array(this.#memory.buffer, address, bytes.length).set(bytes);
  }

  /** The strings of `count` references (offset and length, 32 bits each) at `references` into the text at `text`. */
  strings(references: number, text: number, count: number): string[] {
    const pairs = new Uint32Array(this.#memory.buffer, references, 2 * count);
    const bytes = new Uint8Array(this.#memory.buffer);
    return Array.from({ length: count }, (_, i) => {
      const start = text + (pairs[2 * i] as number);
      return decoder.decode(bytes.subarray(start, start + (pairs[2 * i + 1] as number)));
    });
  }

  // ---- The page ----

  #renew(): void {
    const buffer = this.#memory.buffer as ArrayBuffer;
    this.#buffer = buffer;
    this.#words = new Float64Array(buffer);
    this.#bigints = new BigInt64Array(buffer);
    this.#bytes = new Uint8Array(buffer);
  }

  #reserve(bytes: number): void {
    this.check(this.glue.reservePage(bytes));
    this.#limit = this.#page + Math.max(Math.floor(bytes / 8), 8192); // Page::kept_bytes
  }

  /** Makes room for `words` more, and keeps what the frame has so far. */
  #grow(words: number): void {
    const frame = this.#words.slice(this.#page, this.#at);
    this.#reserve(Math.max((frame.length + words) * 8, frame.length * 16));
    this.#words.set(frame, this.#page);
    this.#at = this.#page + frame.length;
  }
}

/** A value in an error text. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'object' && value !== null) return tagOf(value);
  return String(value);
}

/** What kind of object it is, by its tag: tests and frames bring objects of other realms. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
