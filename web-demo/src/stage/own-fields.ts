// The fields of a call that follow from the rows of its operator: its inputs as lists, and its attributes.
import type { AttributeRow, DataType, OperatorVersion } from 'broadloom';
import { hasEffect } from '../attributes.js';
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

function attributeField({ name, type }: AttributeRow): StageField[] {
  if (type === 'TENSOR') return [{ id: `attribute:${name}:values`, kind: 'tensor', name }];
  return /^(INT|FLOAT|STRING)S?$/.test(type) ? [{ id: `attribute:${name}`, kind: 'attribute', name }] : [];
}

/**
 * All inputs besides the range of a curve, then the attributes of numbers, words and tensors: those that are given, and those that
 * have an effect for the element type of the output.
 */
export function ownFields(call: CallDraft, output?: DataType): StageField[] {
  const version = versionFor(call);
  if (version === undefined) return [];
  const inputs = inputRows(version, call).map(
    (_, input): StageField => ({ id: `input:${input}:values`, kind: 'list', input }),
  );
  const given = rangeOf(call) ? inputs.slice(1) : inputs;
  const attributes = version.attributes
    .filter(({ name }) => Object.hasOwn(call.attributes, name) || hasEffect(name, output))
    .flatMap(attributeField);
  return [...given, ...attributes];
}

/** Whether a call may leave out an input. */
export function isOptional(call: CallDraft, input: number): boolean {
  return versionFor(call)?.inputs[input]?.option === 'Optional';
}

/** The row of the attribute that a field stands for; undefined for inputs. */
export function rowOf(call: CallDraft, field: StageField): AttributeRow | undefined {
  if (!('name' in field)) return undefined;
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
  return 'name' in field ? field.name : parameterName(versionFor(call)?.inputs ?? [], field.input);
}
