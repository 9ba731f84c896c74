// The first values of a model's inputs.
import type { DataType, ValueInfo } from 'broadloom';
import type { TensorDraft, Values } from '../drafts.js';
import { typeRow } from '../facts.js';
import type { Feeds } from './session.js';

/** An input that a draft can be made for. Others have no type: they are not tensors, or declare none. */
export type TensorInput = ValueInfo & { readonly type: DataType };

export function isTensorInput(input: ValueInfo): input is TensorInput {
  return input.type !== null;
}

/** The declared sizes; 1 for those that have a name or are not known, and one axis where no rank is declared. */
function firstDims({ dims }: ValueInfo): string {
  return (dims ?? [null]).map((dim) => (typeof dim === 'number' ? dim : 1)).join(', ');
}

/** Values that fit any dims, so that sizes can be changed without them. Ones suit shapes, indices and counts alike. */
function firstValues({ type }: TensorInput): Values {
  const { kind } = typeRow(type);
  const isCount = kind.endsWith('integer') || kind === 'boolean';
  return isCount ? { kind: 'range', start: 1, step: 0 } : { kind: 'random', seed: 1 };
}

/** The draft of an input: what a person has made of it, or what its declaration suggests. */
export function feedOf(feeds: Feeds, input: TensorInput): TensorDraft {
  const edited = Object.hasOwn(feeds, input.name) ? feeds[input.name] : undefined;
  return edited ?? { type: input.type, dims: firstDims(input), values: firstValues(input) };
}

/** The drafts of all inputs. */
export function feedsOf(feeds: Feeds, inputs: readonly TensorInput[]): Feeds {
  return Object.fromEntries(inputs.map((input) => [input.name, feedOf(feeds, input)]));
}
