// The methods that `Runtime` has for operators, as far as a call can be made by one.
import type { DataType, Operator, OperatorVersion } from 'broadloom';
import { methodName } from '../../../shared/method-name.js';
import type { CallDraft } from '../drafts.js';
import { operatorOf, typesOf, versionOf } from '../facts.js';
import { isVariadic } from '../inputs.js';

export interface Method {
  readonly name: string;
  /** Whether the inputs are one list. */
  readonly takesList: boolean;
  readonly hasAttributes: boolean;
  /** Whether it returns a list of outputs. */
  readonly givesList: boolean;
  /** Whether a list of integers will do for the input at a place. */
  readonly takesShape: (index: number) => boolean;
}

/** The types that any version allows for an input of the newest one; if the newest one names a type itself, that type alone. */
function inputTypes({ versions }: Operator, newest: OperatorVersion, index: number): readonly DataType[] {
  const type = newest.inputs[index]?.type ?? '';
  if (!(type in newest.typeConstraints)) return typesOf(newest, type);
  return versions.flatMap((version) => {
    const row = version.inputs[index];
    return row === undefined ? [] : typesOf(version, row.type);
  });
}

/** Whether a call has what a version asks for: wrong calls go through `run`, which says what is wrong. */
function fits({ operator, inputs, attributes }: CallDraft, version: OperatorVersion): boolean {
  const names = Object.keys(attributes);
  const isOne = operator !== 'Constant' || names.length === 1;
  const areInputs = isVariadic(version)
    ? inputs.length > 0 && inputs.every((input) => input !== null)
    : inputs.length <= version.inputs.length &&
      version.inputs.every(({ option }, i) => option === 'Optional' || inputs[i]);
  return (
    isOne &&
    areInputs &&
    names.every((name) => version.attributes.some((row) => row.name === name)) &&
    version.attributes.every(({ name, required }) => !required || names.includes(name))
  );
}

/** The method that makes a call; none for a call that it does not take, or not as its newest version. */
export function methodOf(draft: CallDraft): Method | undefined {
  const operator = operatorOf(draft.operator);
  const newest = operator?.versions.at(-1);
  if (operator === undefined || newest === undefined) return undefined;
  if (versionOf(operator, draft.opset) !== newest || !fits(draft, newest)) return undefined;
  // The outputs of BatchNormalization after the first are for training, which does not run.
  const outputs = operator.name === 'BatchNormalization' ? newest.outputs.slice(0, 1) : newest.outputs;
  return {
    name: methodName(draft.operator),
    takesList: isVariadic(newest),
    hasAttributes: newest.attributes.length > 0,
    givesList: outputs.length > 1 || outputs[0]?.option === 'Variadic',
    takesShape: (index) => {
      const types = inputTypes(operator, newest, index);
      return types.includes('int64') && types.every((type) => /^int(32|64)$/.test(type));
    },
  };
}
