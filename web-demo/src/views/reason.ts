// Why a choice is greyed, in words.
import type { Choice } from '../choices.js';
import { operatorOf, versionOf } from '../facts.js';
import type { State } from '../state.js';
import { tryTexts } from '../texts/try.js';

/** The reason why the version that the call chooses does not allow `choice`; undefined if it does. */
export function reasonAgainst({ call, language }: State, { allowedFrom }: Choice<unknown>): string | undefined {
  if (allowedFrom === undefined) return undefined;
  const t = tryTexts[language];
  if (allowedFrom === 'none') return t.inNoVersion(call.operator);
  if (allowedFrom > call.opset) return t.comesWith(`${call.operator}-${allowedFrom}`);
  const operator = operatorOf(call.operator);
  return t.notIn(`${call.operator}-${(operator && versionOf(operator, call.opset))?.sinceVersion}`);
}
