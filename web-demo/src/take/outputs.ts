// Types and dims of the outputs of a call that was not made, from the schema.
import type { DataType } from 'broadloom';
import type { CallDraft } from '../drafts.js';
import { operatorOf, typesOf, versionOf } from '../facts.js';
import type { AttributeSource } from './source.js';

/** Types and dims of outputs, as far as they are known; dims of null may be any along one axis. */
export interface OutputInfo {
  readonly type: DataType;
  readonly dims: readonly (number | null)[];
}

/** The element type that an attribute of Constant and the like gives to the output. */
function typeOfAttribute(source: AttributeSource): DataType {
  if (source.kind === 'TENSOR') return source.value.type;
  if (source.kind === 'SPARSE_TENSOR') return source.values.type;
  if (source.kind.startsWith('FLOAT')) return 'float32';
  return source.kind.startsWith('INT') ? 'int64' : 'string';
}

/** The outputs as the schema has them. Their dims are known only when the call was made. */
export function schemaOutputs(draft: CallDraft, attributes: readonly AttributeSource[]): OutputInfo[] {
  const operator = operatorOf(draft.operator);
  const version = operator && versionOf(operator, draft.opset);
  const rows = (version?.outputs ?? []).filter(({ option }, i) => i === 0 || option === 'Single');
  return rows.map(({ type: name }) => {
    const types = version ? typesOf(version, name) : [];
    const bound = draft.inputs.find(
      (input, i) => input && (version?.inputs[i] ?? version?.inputs.at(-1))?.type === name,
    );
    const fallback = attributes[0] ? typeOfAttribute(attributes[0]) : 'float32';
    return { type: bound?.type ?? (types.length === 1 ? (types[0] as DataType) : fallback), dims: [null] };
  });
}
