import { type ErrorCode, invalidArgument, type LimitName, OnnxError } from '../basics/error.js';
import { show } from '../basics/show.js';
import { bytesOf } from '../basics/typed-arrays.js';
import { type Dtype, type TypedArray, viewOf } from '../tensor/types.js';
import { errorCodes, type Glue } from './bindings.generated.js';

const encoder = new TextEncoder();
// Strings of tensors may start with U+FEFF; texts that are not UTF-8 do not get here (the core refuses them).
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text that a C string holds. */
export function textAt({ buffer }: WebAssembly.Memory, address: number): string {
  const bytes = new Uint8Array(buffer, address);
  return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
}

/** A list of addresses. */
export function addressesAt({ buffer }: WebAssembly.Memory, address: number, count: number): number[] {
  return Array.from(new Uint32Array(buffer, address, count));
}

/** Whether a runtime lives, and what ended it. */
export interface Life {
  ended: boolean;
  cause?: unknown;
}

/** Bytes to be copied in; `bytes` is to be asked for after allocating. */
export interface Source {
  readonly length: number;
  readonly bytes: () => Uint8Array;
}

/** The `length` bytes from `start` on. */
export function partOf({ bytes }: Source, start: number, length: number): Source {
  return { length, bytes: () => bytes().subarray(start, start + length) };
}

const loneSurrogate = /\p{Surrogate}/u;
function checkedUnicode(value: string): string {
  if (!loneSurrogate.test(value)) return value;
  throw invalidArgument(`the string ${show(value)} has a lone surrogate: it is not Unicode`);
}

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
  /** The life of the runtime. When it has ended, the content of the heap means nothing. */
  readonly life: Life;
  readonly #memory: WebAssembly.Memory;
  #buffer = new ArrayBuffer(0);
  #words = new Float64Array(0);
  #bigints = new BigInt64Array(0);
  #bytes = new Uint8Array(0);
  #page = 0; // index of the page's first word
  #limit = 0; // index of the word after it
  #at = 0;
  readonly #views: View[] = []; // the last of each type

  constructor(glue: Glue, memory: WebAssembly.Memory, life: Life) {
    this.glue = glue;
    this.life = life;
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

  /** A list of numbers: its length, then its values. */
  numbers(values: readonly number[]): void {
    const { length } = values;
    if (this.#at + 1 + length > this.#limit) this.#grow(1 + length);
    const at = this.#at + 1;
    const words = this.#words;
    words[at - 1] = length;
    for (let i = 0; i < length; i++) words[at + i] = values[i] as number;
    this.#at = at + length;
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
      length = encoder.encodeInto(checkedUnicode(value), this.#bytes.subarray(start, start + room * 8)).written;
    }
    this.#words[this.#at] = length;
    this.#at += 1 + ((length + 7) >>> 3);
  }

  /** A request that is rare, as JSON. */
  json(request: object): void {
    this.string(JSON.stringify(request, (_, value) => (typeof value === 'string' ? checkedUnicode(value) : value)));
  }

  /** A list of strings: its length, then each. */
  stringList(values: readonly string[]): void {
    this.number(values.length);
    for (const value of values) this.string(value);
  }

  /**
   * Copies what the core wants of a file, part by part. Returns the file's address, for the function of `glue` that reads it
   * and frees it.
   */
  file(bytes: Uint8Array, isTensor: boolean): number {
    const source = this.sourceOf(bytes, 'the bytes');
    this.check(this.glue.openFile(source.length, isTensor ? 1 : 0));
    for (;;) {
      const file = this.take();
      const address = this.take();
      const offset = this.take();
      const length = this.take();
      if (length === 0) return file;
      this.copyIn(address, partOf(source, offset, length)); // no code of others runs meanwhile, which could detach the bytes
      this.check(this.glue.continueFile(file));
    }
  }

  // ---- Results ----

  /** Takes what a function of the glue returned: throws the error if it is one, else goes to the start of the results. */
  check(returned: number): void {
    this.#goTo(Math.abs(returned) / 8);
    if (returned < 0) throw this.#takeError();
  }

  /** The error whose negative address a function of the glue returned. */
  errorAt(returned: number): OnnxError {
    this.#goTo(-returned / 8);
    return this.#takeError();
  }

  #goTo(page: number): void {
    if (this.#words.length === 0) this.#renew();
    this.#at = page;
    if (page !== this.#page) {
      this.#page = page;
      this.#limit = page; // of unknown size: the next frame asks for room
    }
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

  /** The value that bindings/descriptions/json_page.h has written. Its type is the caller's promise. */
  takeJson<T>(): T {
    return JSON.parse(this.takeString());
  }

  takeNumbers(count: number): number[] {
    const start = this.#at;
    this.#at += count;
    return Array.from(this.#words.subarray(start, start + count));
  }

  #takeError(): OnnxError {
    const code = errorCodes[this.take()] as ErrorCode;
    const opset = this.take() || undefined;
    const operator = this.takeString() || undefined;
    const node = this.takeString() || undefined;
    const limit = (this.takeString() as LimitName) || undefined;
    return new OnnxError(code, this.takeString(), { operator, opset, node, limit });
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

  /**
   * The bytes of an array: if they lie in this heap, growth of the memory detaches the array, but the source still finds the
   * bytes.
   */
  sourceOf(array: ArrayBufferView, what: string): Source {
    const { buffer, offset, length } = bytesOf(array, what);
    const memory = buffer === this.#memory.buffer ? this.#memory : { buffer };
    return { length, bytes: () => new Uint8Array(memory.buffer as ArrayBuffer, offset, length) };
  }

  /** Copies bytes to `address`. False when somebody detached them since `sourceOf`. */
  copyIn(address: number, source: Source): boolean {
    const to = new Uint8Array(this.#memory.buffer, address, source.length);
    try {
      to.set(source.bytes());
    } catch {
      return false;
    }
    return true;
  }

  /** A copy of the bytes at `address`. */
  copyOut(address: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer.slice(address, address + length) as ArrayBuffer);
  }

  /**
   * The strings of `count` references (offset and length, 32 bits each) at `references` into the text at `text`. Elements that
   * share a long part of it share a string, too: a few bytes may stand for many elements.
   */
  strings(references: number, text: number, count: number): string[] {
    const pairs = new Uint32Array(this.#memory.buffer, references, 2 * count);
    const bytes = new Uint8Array(this.#memory.buffer);
    const long = new Map<number, string>();
    return Array.from({ length: count }, (_, i) => {
      const start = text + (pairs[2 * i] as number);
      const length = pairs[2 * i + 1] as number;
      if (length < 64) return decoder.decode(bytes.subarray(start, start + length));
      const string = long.get(start) ?? decoder.decode(bytes.subarray(start, start + length));
      long.set(start, string);
      return string;
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
