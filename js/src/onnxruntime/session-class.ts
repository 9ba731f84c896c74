import { show, tagOf } from '../basics/show.js';
import { env, host } from './env.js';
import { bytesIn } from './files.js';
import { createHandler, type GivenTensor, type Handler, isTensor } from './handler.js';
import { checkFlags, checkSessionOptions } from './options.js';
import type { InferenceSession } from './session.js';
import { OrtTensor } from './tensor-class.js';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function optionsOf<O>(value: unknown): O {
  if (value === undefined) return {} as O;
  if (isObject(value)) return value as O;
  throw new TypeError(`'options' is ${show(value)}, wanted an object.`);
}

/** The part of a buffer that `create` was given, and the arguments after it. */
function partOf(buffer: ArrayBuffer, [offset, length, ...rest]: readonly unknown[]): [Uint8Array, unknown] {
  if (typeof offset !== 'number') return [bytesIn(buffer, 'the model'), offset];
  const size = buffer.byteLength;
  if (!Number.isSafeInteger(offset) || offset < 0 || offset >= size)
    throw new RangeError(`'byteOffset' is ${offset}, out of range [0, ${size}).`);
  if (length !== undefined && typeof length !== 'number')
    throw new TypeError(`'byteLength' is ${show(length)}, wanted a number.`);
  const count = length ?? size - offset;
  if (!Number.isSafeInteger(count) || count <= 0 || offset + count > size)
    throw new RangeError(`'byteLength' is ${count}, out of range (0, ${size - offset}].`);
  return [new Uint8Array(buffer, offset, count), rest[0]];
}

/** Reads the arguments of `create`: a model, perhaps with a place in its buffer, and options. */
function readArguments(
  model: unknown,
  rest: readonly unknown[],
): [string | Uint8Array, InferenceSession.SessionOptions] {
  const tag = tagOf(model);
  if (typeof model === 'string' || tag === 'URL') return [String(model), optionsOf(rest[0])];
  if (tag === 'Uint8Array') return [model as Uint8Array, optionsOf(rest[0])];
  if (tag !== 'ArrayBuffer' && tag !== 'SharedArrayBuffer')
    throw new TypeError(
      `The model is ${show(model)}, wanted its address or path, a URL, a Uint8Array or an ArrayBuffer.`,
    );
  const [bytes, options] = partOf(model as ArrayBuffer, rest);
  return [bytes, optionsOf(options)];
}

type Fetches = Record<string, GivenTensor | null>;

/** The outputs that a list names. */
function listed(names: readonly unknown[], known: readonly string[]): Fetches {
  if (names.length === 0) throw new TypeError("'fetches' cannot be an empty list.");
  const fetches: Fetches = Object.create(null); // a name may be __proto__
  for (const name of names) {
    if (typeof name !== 'string') throw new TypeError(`'fetches' has ${show(name)}, wanted names or an object.`);
    if (!known.includes(name))
      throw new RangeError(`'fetches' contains invalid output name: ${name}. Outputs: ${known.join(', ')}.`);
    fetches[name] = null;
  }
  return fetches;
}

/** The outputs that are keys of an object with tensors or null; none where the object is one of options. */
function keyed(given: Record<string, unknown>, known: readonly string[]): Fetches | undefined {
  const names = known.filter((name) => Object.hasOwn(given, name) && (given[name] === null || isTensor(given[name])));
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, given[name] as GivenTensor]));
}

export class Session {
  // No private member: a proxy of the session, which frameworks make, has what it needs, as with onnxruntime-common.
  private readonly handler: Handler;

  private constructor(handler: Handler) {
    this.handler = handler;
  }

  static async create(model: unknown, ...rest: unknown[]): Promise<Session> {
    const [source, options] = readArguments(model, rest);
    checkSessionOptions(options);
    checkFlags(env.wasm);
    return new Session(await createHandler(host, OrtTensor, source, options, { isRemote: env.wasm.proxy }));
  }

  async run(feeds: unknown, second?: unknown, third?: unknown): Promise<Record<string, unknown>> {
    if (!isObject(feeds) || Array.isArray(feeds) || isTensor(feeds))
      throw new TypeError(`'feeds' is ${show(feeds)}, wanted an object of tensors by the names of inputs.`);
    const { inputNames, outputNames } = this;
    let fetches: Fetches | undefined;
    let options = third;
    if (Array.isArray(second)) {
      fetches = listed(second, outputNames);
    } else if (isObject(second)) {
      if (isTensor(second)) throw new TypeError("'fetches' cannot be a Tensor.");
      fetches = keyed(second, outputNames);
      if (fetches === undefined) options = second;
    } else if (second !== undefined) {
      throw new TypeError(`The second argument is ${show(second)}, wanted 'fetches' or 'options'.`);
    }
    for (const name of inputNames)
      if (feeds[name] === undefined) throw new Error(`input '${name}' is missing in 'feeds'.`);
    fetches ??= listed(outputNames, outputNames);
    return this.handler.run(feeds, fetches, optionsOf(options));
  }

  release(): Promise<void> {
    return this.handler.dispose();
  }

  startProfiling(): void {
    this.handler.startProfiling();
  }

  endProfiling(): void {
    this.handler.endProfiling();
  }

  get inputNames(): readonly string[] {
    return this.handler.inputNames;
  }

  get outputNames(): readonly string[] {
    return this.handler.outputNames;
  }

  get inputMetadata(): readonly InferenceSession.ValueMetadata[] {
    return this.handler.inputMetadata;
  }

  get outputMetadata(): readonly InferenceSession.ValueMetadata[] {
    return this.handler.outputMetadata;
  }
}

Object.defineProperty(Session, 'name', { value: 'InferenceSession' });
