import type { errorCodes } from '../calls/bindings.generated.js';
import { show } from './show.js';

/**
 * The kinds of mistakes that an {@link OnnxError} reports:
 * - `INVALID_ARGUMENT`: a value, shape, attribute or option that the call cannot take
 * - `UNSUPPORTED_TYPE`: an element type that the operator's version does not list
 * - `UNKNOWN_OPERATOR`: no such operator, or not in this opset or domain
 * - `INVALID_MODEL`: bytes that are not a valid ONNX file
 * - `OUT_OF_MEMORY`: an allocation that does not fit; everything that lived before still does
 * - `LIMIT_EXCEEDED`: a file or a call that asks for more than {@link Limits} allow
 * - `DISPOSED`: a tensor or model that was used after `dispose()`, a runtime that an error in WebAssembly has ended, or a
 *   worker that was ended
 */
export type ErrorCode = (typeof errorCodes)[number];

/** The limits that a `LIMIT_EXCEEDED` names: those of {@link Limits}, and those of a {@link Pool} and its runs. */
export type LimitName =
  | ('bytes' | 'elements' | 'nodes' | 'nesting' | 'milliseconds')
  | ('maxQueue' | 'timeout' | 'deadline');

/** Where an {@link OnnxError} arose, and the error of the host that it stands for, if any. */
export interface ErrorPlace {
  /** The error of the host. */
  cause?: unknown;
  /** Name of the operator. */
  operator?: string | undefined;
  /** The opset that chose the operator's version. */
  opset?: number | undefined;
  /** Name of the model's node, or its number. */
  node?: string | undefined;
  /** The limit that was exceeded. */
  limit?: LimitName | undefined;
}

/** Names and numbers of users can be of any length; the core's texts have about as many bytes. */
const longestMessage = 2048;

/**
 * The one error that Broadloom throws. The runtime stays usable, and nothing that lived before is lost, unless the message
 * says that the runtime has ended. `cause` has the host's own error, where the host refused (a file, a network, an engine) or
 * ended the runtime.
 *
 * @example
 * ```ts
 * try {
 *   ops.expand(x, [2, 4]);
 * } catch (error) {
 *   if (!(error instanceof OnnxError && error.code === 'INVALID_ARGUMENT')) throw error;
 *   console.log(error.message); // Expand-13: cannot broadcast [3, 1] to [2, 4]: axis 0 is 3, wanted 2
 * }
 * ```
 */
export class OnnxError extends Error {
  /** Always `OnnxError`: tells it from other errors where two copies of the package meet. */
  declare readonly name: 'OnnxError';
  /** The kind of mistake. */
  readonly code: ErrorCode;
  /** Name of the operator, if the error arose in one: `Expand`. */
  declare readonly operator: string | undefined;
  /** The opset that chose the operator's version, if the error arose in an operator. */
  declare readonly opset: number | undefined;
  /** Name of the model's node, or its number: `#7`. Only for errors of models. */
  declare readonly node: string | undefined;
  /** The limit that a `LIMIT_EXCEEDED` is about: `milliseconds`. A call that exceeded its time may succeed when it is repeated. */
  declare readonly limit: LimitName | undefined;

  /** @hidden */
  constructor(code: ErrorCode, message: string, place: ErrorPlace = {}) {
    const { cause, operator, opset, node, limit } = place;
    const text = message.length > longestMessage ? `${message.slice(0, longestMessage)}...` : message;
    super(text, cause === undefined ? undefined : { cause });
    this.code = code;
    if (operator !== undefined) this.operator = operator;
    if (opset !== undefined) this.opset = opset;
    if (node !== undefined) this.node = node;
    if (limit !== undefined) this.limit = limit;
  }
}

// The prototype has these properties: an engine takes the name from there for the first line of the stack, and consoles print own
// properties, so they do not print facts that an error lacks. The class gets its name here, since minifiers rename it.
for (const [name, value] of Object.entries({
  name: 'OnnxError',
  operator: undefined,
  opset: undefined,
  node: undefined,
  limit: undefined,
}))
  Object.defineProperty(OnnxError.prototype, name, { value, configurable: true, writable: true });
Object.defineProperty(OnnxError, 'name', { value: 'OnnxError', configurable: true });

/** @internal */
export function invalidArgument(message: string): OnnxError {
  return new OnnxError('INVALID_ARGUMENT', message);
}

/** The error of all that needs a runtime which has ended. @internal */
export function endedError(cause: unknown): OnnxError {
  const reason = (cause as Error | undefined)?.message ?? show(cause);
  const text = `this runtime has ended, with all its tensors and models, by an error in WebAssembly (${reason})`;
  return new OnnxError('DISPOSED', `${text}: load() makes a new one`, { cause });
}

/** The error of a method whose `this` is not the object that it was made for. @internal */
export function notItself(what: keyof typeof calls, value: unknown): OnnxError {
  if (value == null)
    return invalidArgument(`a method of a ${what} was called without the ${what}: write the call as ${calls[what]}`);
  return invalidArgument(
    `this is a proxy or a copy of a ${what}: use the ${what} itself, and keep it out of reactive state (Vue: shallowRef or markRaw)`,
  );
}

const calls = {
  tensor: 'tensor.toArray()',
  model: 'model.run(feeds)',
  'bound model': 'bound.run()',
  resampler: 'resampler.push(chunk)',
  runtime: 'ops.expand(x, shape)',
};
