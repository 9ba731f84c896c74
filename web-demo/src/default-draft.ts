import type { OperatorVersion } from 'broadloom';
import { emptyAttribute } from './attributes.js';
import type { CallDraft, TensorDraft } from './drafts.js';
import { exampleDraft } from './example-draft.js';
import { type Example, examplesOf, operatorOf, typesOf, versionOf } from './facts.js';

/** Whether a version has the inputs and attributes of an example, and needs no others. */
function takes({ inputs, attributes }: OperatorVersion, example: Example): boolean {
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

/** The first example that a version takes; of those that take any number of inputs, one that shows it. */
function exampleFor(version: OperatorVersion, name: string): Example | undefined {
  const examples = examplesOf(name).filter((example) => takes(version, example));
  const isVariadic = version.inputs.at(-1)?.option === 'Variadic';
  return (isVariadic ? examples.find(({ inputs }) => inputs.length > 1) : undefined) ?? examples[0];
}

function defaultInputs(version: OperatorVersion): (TensorDraft | null)[] {
  const inputs = version.inputs.map(({ type, option }): TensorDraft | null => {
    if (option === 'Optional') return null;
    const types = typesOf(version, type);
    // What must be integers of a shape lists sizes or axes of the first input.
    const isList = types.includes('int64') && types.every((name) => /^int(32|64)$/.test(name));
    if (isList) return { type: 'int64', dims: '2', values: { kind: 'text', text: '3, 2' } };
    const preferred = types.includes('float32') ? 'float32' : (types[0] ?? 'float32');
    return { type: preferred, dims: '2, 3', values: { kind: 'range', start: 0, step: 1 } };
  });
  while (inputs.at(-1) === null) inputs.pop();
  return inputs;
}

/** A call of a known operator to begin with: its first example, or inputs of types that its version takes. */
export function defaultDraft(name: string, opset: number): CallDraft {
  const operator = operatorOf(name);
  // An operator that is younger than the opset is shown in its first version.
  const chosen = Math.max(opset, operator?.versions[0]?.sinceVersion ?? 1);
  const version = operator && versionOf(operator, chosen);
  const example = version && exampleFor(version, name);
  if (example !== undefined) return { ...exampleDraft(example), opset: chosen };
  const needed = version?.attributes.filter(({ required }) => required) ?? [];
  return {
    ...{ operator: name, opset: chosen },
    inputs: version ? defaultInputs(version) : [],
    attributes: Object.fromEntries(needed.map((row) => [row.name, emptyAttribute(row)])),
  };
}
