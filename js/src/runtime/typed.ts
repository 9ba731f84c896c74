import { invalidArgument } from '../basics/error.js';
import { isPlainObject } from '../basics/plain.js';
import { show } from '../basics/show.js';
import { tooMany } from '../basics/superfluous.js';
import type { OperatorInput } from '../calls/operands.js';
import type { Attributes, OperatorOptions } from '../tensor/types.js';

/** A call of a runtime's method. */
export type TypedCall = (
  runtime: unknown,
  operator: string,
  inputs: OperatorInput[],
  attributes: Attributes | undefined,
  options: OperatorOptions | undefined,
  superfluous?: number,
  taken?: number,
) => unknown;

/** The inputs, attributes and options among all arguments of a method that takes inputs which may be left out. */
export function readArguments(
  name: string,
  given: unknown[],
  needed: number,
  taken: number,
  hasAttributes: boolean,
): [OperatorInput[], Attributes | undefined, OperatorOptions | undefined] {
  const inputs: OperatorInput[] = [];
  let next = 0;
  // Inputs at the end may be left out: attributes or options come in their place.
  while (next < taken && next < given.length && (next < needed || !isOptions(given[next])))
    inputs.push(given[next++] as OperatorInput);
  const attributes = hasAttributes ? (given[next++] as Attributes | undefined) : undefined;
  if (given.length > next + 1) throw tooMany(name, given.length, next + 1);
  return [inputs, attributes, given[next] as OperatorOptions | undefined];
}

/** Whether it is an object of attributes or options, and no tensor. */
function isOptions(value: unknown): boolean {
  return isPlainObject(value) && !('dims' in value);
}

/** More would not fit in memory, of whatever they are. */
const mostInputs = 2 ** 24;

/** A list of the call's own. */
export function copyOf(name: string, inputs: unknown): OperatorInput[] {
  if (!Array.isArray(inputs))
    throw invalidArgument(
      `${typeof name === 'string' ? name : show(name)}: inputs are ${show(inputs)}, wanted a list such as [x, y]`,
    );
  if (inputs.length > mostInputs)
    throw invalidArgument(`${name}: a list of ${inputs.length} inputs is longer than ${mostInputs}`);
  return [...inputs];
}
