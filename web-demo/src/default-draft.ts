import type { OperatorVersion } from 'broadloom';
import { emptyAttribute } from './attributes.js';
import type { CallDraft } from './drafts.js';
import { exampleDraft } from './example-draft.js';
import { examplesOf, type FirstCall, operatorOf, playOf, versionOf } from './facts.js';
import { firstInput, withInput } from './inputs.js';
import { takes } from './takes.js';

/** The operator's first call, or the first example that a version takes; of a variadic operator one with several inputs. */
function exampleFor(version: OperatorVersion, name: string): FirstCall | undefined {
  const { first } = playOf(name);
  if (first && takes(version, first)) return first;
  const examples = examplesOf(name).filter((example) => takes(version, example));
  const isVariadic = version.inputs.at(-1)?.option === 'Variadic';
  return (isVariadic ? examples.find(({ inputs }) => inputs.length > 1) : undefined) ?? examples[0];
}

function withDefaultInputs(call: CallDraft, version: OperatorVersion): CallDraft {
  return version.inputs.reduce(
    (now, { option }, i) => (option === 'Optional' ? now : withInput(now, version, i, firstInput(now, version, i))),
    call,
  );
}

/** A call of a known operator to begin with: its first call or example, or inputs of types that its version takes. */
export function defaultDraft(name: string, opset: number): CallDraft {
  const operator = operatorOf(name);
  // An operator that is younger than the opset is shown in its first version.
  const chosen = Math.max(opset, operator?.versions[0]?.sinceVersion ?? 1);
  const version = operator && versionOf(operator, chosen);
  const example = version && exampleFor(version, name);
  if (example !== undefined) return { ...exampleDraft(example), opset: chosen };
  const needed = version?.attributes.filter(({ required }) => required) ?? [];
  const attributes = Object.fromEntries(needed.map((row) => [row.name, emptyAttribute(row)]));
  const empty: CallDraft = { operator: name, opset: chosen, inputs: [], attributes };
  return version ? withDefaultInputs(empty, version) : empty;
}
