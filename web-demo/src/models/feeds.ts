// The first values of a model's inputs.
import type { DataType, ValueInfo } from 'broadloom';
import { type TensorDraft, type Values, zeros } from '../drafts.js';
import { typeRow } from '../facts.js';
import { firstSizes, isRate } from './first-sizes.js';
import type { Feeds } from './kept.js';
import { isState } from './media-inputs.js';

/** An input that a draft can be made for. Others have no type: they are not tensors, or declare none. */
export type TensorInput = ValueInfo & { readonly type: DataType };

export function isTensorInput(input: ValueInfo): input is TensorInput {
  return input.type !== null;
}

/** Samples a second where a model asks for them. */
const usualRate = 16_000;

/**
 * Values for the dims. Values of several elements come from a rule, which fits any dims. The value 1 suits shapes, indices and
 * counts alike.
 */
function firstValues(input: TensorInput, sizes: readonly number[]): Values {
  const { kind } = typeRow(input.type);
  if (kind.endsWith('integer') && (sizes.length === 0 || isRate(input)))
    return { kind: 'text', text: String(isRate(input) ? usualRate : 1) };
  if (kind.endsWith('integer') || kind === 'boolean') return { kind: 'range', start: 1, step: 0 };
  return isState(input) ? zeros : { kind: 'random', seed: 1 };
}

/** The drafts that the declarations suggest. */
function firstFeeds(inputs: readonly TensorInput[]): Feeds {
  const sizes = firstSizes(inputs);
  const drafts = inputs.map((input) => {
    const dims = sizes.get(input.name) ?? [];
    const draft: TensorDraft = { type: input.type, dims: dims.join(', '), values: firstValues(input, dims) };
    return [input.name, draft] as const;
  });
  return Object.fromEntries(drafts);
}

/** The drafts of all inputs: what a person has made of each, or what its declaration suggests. */
export function feedsOf(feeds: Feeds, inputs: readonly TensorInput[]): Feeds {
  const suggested = firstFeeds(inputs);
  const draftOf = (name: string): TensorDraft =>
    (Object.hasOwn(feeds, name) ? feeds[name] : suggested[name]) as TensorDraft;
  return Object.fromEntries(inputs.map(({ name }) => [name, draftOf(name)]));
}
