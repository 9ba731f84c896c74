// Where problems can be shown.
import { attributeChoices } from './choices.js';
import type { CallDraft, Place } from './drafts.js';
import { operatorOf, versionOf } from './facts.js';
import { inputRows } from './inputs.js';

/** `place`, or the nearest one that the forms of the call have: what is wrong must be seen. */
export function placeInForm(call: CallDraft, place: Place): Place {
  const operator = operatorOf(call.operator);
  const version = operator && (versionOf(operator, call.opset) ?? operator.versions[0]);
  const [kind, name = ''] = place.split(':');
  if (operator === undefined || version === undefined) return 'call';
  if (kind === 'input') {
    if (!(Number(name) < inputRows(version, call).length)) return 'call';
    return call.inputs[Number(name)] ? place : `input:${name}`;
  }
  const hasForm = attributeChoices(operator, call.opset).some(({ value }) => value.name === name);
  return kind === 'attribute' && hasForm ? place : 'call';
}
