// Names in programs: the names of ONNX's schema, as far as they can be used.
import type { ParameterRow } from 'broadloom';
import type { CallDraft } from '../drafts.js';
import { operatorOf, versionOf } from '../facts.js';

const identifier = /^[A-Za-z_]\w*$/;

export function isIdentifier(text: string): boolean {
  return identifier.test(text);
}

/** Gives out names: the wanted one if it is free and can be one, else one like it. */
export function namer(taken: readonly string[]): (wanted: string) => string {
  const used = new Set(taken);
  return (wanted) => {
    const base = wanted.replace(/\W/g, '_').replace(/^(?=\d|$)/, '_');
    let name = base;
    for (let i = 2; used.has(name); i++) name = `${base}${i}`;
    used.add(name);
    return name;
  };
}

/** The schema's name of the parameter at a place. Operands of a variadic parameter are numbered. */
function parameterName(rows: readonly ParameterRow[], index: number, fallback: string): string {
  const row = rows[index] ?? rows.at(-1);
  if (row === undefined || (index >= rows.length && row.option !== 'Variadic')) return `${fallback}_${index}`;
  return row.option === 'Variadic' ? `${row.name}_${index - rows.length + 1}` : row.name;
}

export interface CallNames {
  /** Empty for inputs that are left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** Names of the values of a call, each of its own. */
export function callNames(draft: CallDraft, outputs: number): CallNames {
  const operator = operatorOf(draft.operator);
  const version = operator && versionOf(operator, draft.opset);
  const unique = namer(['']);
  return {
    inputs: draft.inputs.map((input, i) => (input ? unique(parameterName(version?.inputs ?? [], i, 'input')) : '')),
    outputs: Array.from({ length: outputs }, (_, i) => unique(parameterName(version?.outputs ?? [], i, 'output'))),
  };
}
