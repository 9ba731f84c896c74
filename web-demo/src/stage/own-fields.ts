// The fields of a call that follow from the rows of its operator: its inputs as lists, and its attributes.
import type { AttributeRow, OperatorVersion } from 'broadloom';
import { typeChoices } from '../choices.js';
import type { CallDraft } from '../drafts.js';
import { operatorOf, versionOf } from '../facts.js';
import { inputRows, parameterName } from '../inputs.js';
import { rangeOf } from './curve-call.js';
import type { StageField } from './stages.js';

function versionFor({ operator, opset }: CallDraft): OperatorVersion | undefined {
  const known = operatorOf(operator);
  return known && versionOf(known, opset);
}

const hasField = ({ type }: AttributeRow): boolean => /^(INT|FLOAT|STRING)S?$/.test(type);

/** All inputs besides the range of a curve, then the attributes of numbers and words. */
export function ownFields(call: CallDraft): StageField[] {
  const version = versionFor(call);
  if (version === undefined) return [];
  const inputs = inputRows(version, call).map(
    (_, input): StageField => ({ id: `input:${input}:values`, kind: 'list', input }),
  );
  const given = rangeOf(call) ? inputs.slice(1) : inputs;
  const attributes = version.attributes
    .filter(hasField)
    .map(({ name }): StageField => ({ id: `attribute:${name}`, kind: 'attribute', name }));
  return [...given, ...attributes];
}

/** The row of the attribute that a field stands for; undefined for inputs. */
export function rowOf(call: CallDraft, field: StageField): AttributeRow | undefined {
  if (field.kind !== 'attribute') return undefined;
  return versionFor(call)?.attributes.find(({ name }) => name === field.name);
}

/**
 * The words that an attribute takes: the choices of its row, or the names of element types; undefined for attributes without such
 * words.
 */
export function choicesOf({ operator, opset }: CallDraft, row: AttributeRow): readonly string[] | undefined {
  const known = operatorOf(operator);
  if (!row.isDataType || known === undefined) return row.choices;
  const types = typeChoices(known, opset, 'outputs', 0).filter(({ allowedFrom }) => allowedFrom === undefined);
  return types.map(({ value }) => value);
}

/** The name of what a field stands for. */
export function ownLabel(call: CallDraft, field: StageField): string {
  return field.kind === 'attribute' ? field.name : parameterName(versionFor(call)?.inputs ?? [], field.input);
}
