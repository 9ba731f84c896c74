// Which calls a version of an operator takes.
import type { OperatorVersion } from 'broadloom';
import type { Example } from './facts.js';

/** Whether a version has the inputs and attributes of an example, and needs no others. */
export function takes(
  { inputs, attributes }: OperatorVersion,
  example: Pick<Example, 'inputs' | 'attributes' | 'opset'>,
): boolean {
  const given = Object.keys(example.attributes);
  const isVariadic = inputs.at(-1)?.option === 'Variadic';
  return (
    example.opset === undefined &&
    (isVariadic || example.inputs.length <= inputs.length) &&
    example.inputs.length >= inputs.filter(({ option }) => option === 'Single').length &&
    given.every((name) => attributes.some((row) => row.name === name)) &&
    attributes.every(({ name, required }) => !required || given.includes(name))
  );
}
