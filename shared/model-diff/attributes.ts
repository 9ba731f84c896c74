// Attributes of nodes as texts that are equal where the attributes are.
import type { ModelNode, NodeAttribute, OnnxError } from 'broadloom';
import type { Data, Digest } from './weights.js';

/** The most elements that a text shows. Of others it has the digest. */
const mostShown = 16;

interface Parts {
  readonly type: string;
  readonly dims?: readonly number[];
  readonly data: Data;
}

/** Texts of values, with a digest where they are long. */
class Texts {
  readonly #digest: Digest;

  constructor(digest: Digest) {
    this.#digest = digest;
  }

  #ofData({ data }: Parts): string {
    const values = Array.from(data as ArrayLike<number | bigint | string>);
    if (values.length > mostShown) return this.#digest(data);
    return `[${values.map((value) => this.of(value)).join(', ')}]`;
  }

  #ofTensor(tensor: Parts): string {
    const head = `${tensor.type} [${(tensor.dims ?? []).join(', ')}]`;
    try {
      return `${head} ${this.#ofData(tensor)}`;
    } catch (error) {
      if ((error as OnnxError).code !== 'INVALID_MODEL') throw error;
      return `${head} in another file`;
    }
  }

  of(value: unknown): string {
    if (Object.is(value, -0)) return '-0';
    if (typeof value === 'string') return JSON.stringify(value);
    if (typeof value !== 'object' || value === null) return String(value);
    if (Array.isArray(value)) {
      const text = `[${value.map((one) => this.of(one)).join(', ')}]`;
      return value.length > mostShown ? `${value.length} values, ${this.#digest([text])}` : text;
    }
    if ('values' in value) {
      const { values, indices, dims } = value as unknown as {
        values: Parts;
        indices: Parts | null;
        dims: readonly number[];
      };
      const places = indices === null ? 'none' : this.#ofTensor(indices);
      return `sparse [${dims.join(', ')}] ${this.#ofTensor(values)} at ${places}`;
    }
    return 'dims' in value ? this.#ofTensor(value as unknown as Parts) : String((value as { type: string }).type);
  }
}

/** By their names, without graphs, whose nodes are compared by themselves. */
export function attributeTexts({ attributes, graphs }: ModelNode, digest: Digest): Readonly<Record<string, string>> {
  const texts = new Texts(digest);
  const own = Object.entries(attributes).filter(([name]) => graphs?.[name] === undefined);
  own.sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(own.map(([name, value]: [string, NodeAttribute]) => [name, texts.of(value)]));
}
