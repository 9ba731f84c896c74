// Attributes of nodes as texts that are equal where the attributes are.
import type { ModelNode, NodeAttribute, OnnxError } from 'broadloom';
import { digestOf } from './weights-diff.js';

/** The most elements that a text shows. Of others it has the digest. */
const mostShown = 16;

interface Parts {
  readonly type: string;
  readonly dims?: readonly number[];
  readonly data: Parameters<typeof digestOf>[0];
}

function textOfData({ data }: Parts): string {
  const values = Array.from(data as ArrayLike<number | bigint | string>);
  if (values.length > mostShown) return `sha256 ${digestOf(data).slice(0, 16)}`;
  return `[${values.map(textOf).join(', ')}]`;
}

function textOfTensor(tensor: Parts): string {
  const head = `${tensor.type} [${(tensor.dims ?? []).join(', ')}]`;
  try {
    return `${head} ${textOfData(tensor)}`;
  } catch (error) {
    if ((error as OnnxError).code !== 'INVALID_MODEL') throw error;
    return `${head} in another file`;
  }
}

function textOf(value: unknown): string {
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) {
    const text = `[${value.map(textOf).join(', ')}]`;
    return value.length > mostShown ? `${value.length} values, sha256 ${digestOf([text]).slice(0, 16)}` : text;
  }
  if ('values' in value) {
    const { values, indices, dims } = value as unknown as {
      values: Parts;
      indices: Parts | null;
      dims: readonly number[];
    };
    return `sparse [${dims.join(', ')}] ${textOfTensor(values)} at ${indices === null ? 'none' : textOfTensor(indices)}`;
  }
  return 'dims' in value ? textOfTensor(value as unknown as Parts) : String((value as { type: string }).type);
}

/** By their names, without graphs, whose nodes are compared by themselves. */
export function attributeTexts({ attributes, graphs }: ModelNode): Readonly<Record<string, string>> {
  const own = Object.entries(attributes).filter(([name]) => graphs?.[name] === undefined);
  own.sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(own.map(([name, value]: [string, NodeAttribute]) => [name, textOf(value)]));
}
