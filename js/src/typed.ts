import { callOperator, type OperatorInput } from './call.js';
import type { Context } from './context.js';
import { invalidArgument } from './error.js';
import { isPlainObject } from './plain.js';
import { show } from './show.js';
import type { Attributes, OperatorOptions } from './types.js';

/**
 * A call of a typed method: the runtime that it was called on, the operator, all arguments, how many inputs it needs; whether
 * it has attributes, several outputs, and one list for its inputs; how many more inputs it takes.
 */
export type TypedCall = (
  runtime: unknown,
  operator: string,
  given: unknown[],
  needed: number,
  hasAttributes?: boolean,
  hasSeveral?: boolean,
  isList?: boolean,
  optional?: number,
) => unknown;

/** Makes the methods' calls. `contextOf` finds the context of a runtime. */
export function typedCall(contextOf: (runtime: unknown) => Context): TypedCall {
  return (runtime, operator, given, needed, hasAttributes, hasSeveral, isList, optional = 0) => {
    const context = contextOf(runtime);
    let next = 0;
    let inputs: OperatorInput[] = [];
    if (isList) {
      inputs = copyOf(operator, given[next++]);
    } else {
      // Inputs at the end may be left out: attributes or options come in their place.
      const taken = needed + optional;
      while (next < taken && next < given.length && (next < needed || !isOptions(given[next])))
        inputs.push(given[next++] as OperatorInput);
    }
    const attributes = hasAttributes ? (given[next++] as Attributes | undefined) : undefined;
    callOperator(context, operator, inputs, attributes, given[next] as OperatorOptions | undefined);
    return hasSeveral ? context.takeTensors() : context.takeOne();
  };
}

/** Whether it is an object of attributes or options, and no tensor. */
function isOptions(value: unknown): boolean {
  return isPlainObject(value) && !('dims' in value);
}

/** A list of the call's own. */
export function copyOf(name: string, inputs: unknown): OperatorInput[] {
  if (!Array.isArray(inputs))
    throw invalidArgument(`${show(name)}: inputs are ${show(inputs)}, wanted a list such as [x, y]`);
  return [...inputs];
}
