import { callOperator, type OperatorInput } from './call.js';
import type { Context } from './context.js';
import { invalidArgument } from './error.js';
import { typedRows } from './operators.generated.js';
import { isPlainObject } from './plain.js';
import { show } from './show.js';
import type { Attributes, OperatorOptions } from './types.js';

/** Gives `prototype` a method for each row of the generated table. `contextOf` finds the context of `this`. */
export function addTypedMethods(prototype: object, contextOf: (runtime: unknown) => Context): void {
  for (const [operator, method, needed, taken, isList, hasAttributes, hasSeveral] of typedRows) {
    const value = function (this: unknown, ...given: unknown[]): unknown {
      const context = contextOf(this);
      let next = 0;
      let inputs: OperatorInput[] = [];
      if (isList) {
        inputs = copyOf(operator, given[next++]);
      } else {
        // Inputs at the end may be left out: attributes or options come in their place.
        while (next < taken && next < given.length && (next < needed || !isOptions(given[next])))
          inputs.push(given[next++] as OperatorInput);
      }
      const attributes = hasAttributes ? (given[next++] as Attributes | undefined) : undefined;
      callOperator(context, operator, inputs, attributes, given[next] as OperatorOptions | undefined);
      return hasSeveral ? context.takeTensors() : context.takeOne();
    };
    Object.defineProperty(value, 'name', { value: method });
    Object.defineProperty(prototype, method, { value, writable: true, configurable: true });
  }
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
