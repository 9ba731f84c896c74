import type { CallDraft, TensorDraft } from './drafts.js';
import { exampleDraft } from './example-draft.js';
import { examples, operatorOf, typesOf, versionOf } from './facts.js';

/** A call to begin with: the operator's first documented example, or inputs of types that its version takes. */
export function defaultDraft(name: string, opset: number): CallDraft {
  const operator = operatorOf(name);
  const first = operator?.versions[0];
  // An operator that is younger than the opset is shown in its first version.
  const chosen = Math.max(opset, first?.sinceVersion ?? 1);
  const example = examples.find((it) => it.operator === name);
  if (example !== undefined) return { ...exampleDraft(example), opset: chosen };
  const version = operator && versionOf(operator, chosen);
  const inputs = (version?.inputs ?? []).map(({ type, option }): TensorDraft | null => {
    if (option === 'Optional' || version === undefined) return null;
    const types = typesOf(version, type);
    const preferred = types.includes('float32') ? 'float32' : (types[0] ?? 'float32');
    return { type: preferred, dims: '2, 3', values: { kind: 'range', start: 0, step: 1 } };
  });
  return { operator: name, opset: chosen, inputs, attributes: {} };
}
