// Decoders that make token after token: each run has the caches that the run before made, and other dims.
import { gpt2, llama } from './decoders.mjs';

/** The feeds of a step of one token, `later` tokens later, without caches. */
function laterFeeds(feeds, later) {
  const changes = {
    attention_mask: ({ dims: [batch, total], ...rest }) => {
      const dims = [batch, total + later];
      return { ...rest, dims, elements: new BigInt64Array(dims[0] * dims[1]).fill(1n) };
    },
    position_ids: (feed) => ({ ...feed, elements: feed.elements.map((place) => place + BigInt(later)) }),
  };
  return feeds.filter(({ name }) => !name.startsWith('past')).map((feed) => changes[feed.name]?.(feed) ?? feed);
}

/** A decoder's step with `steps`: the feeds of each token, and `states`: the outputs that are inputs of the next step. */
const generating =
  (make) =>
  ({ tokens = 32, ...sizes }) => {
    const { file, feeds } = make({ ...sizes, length: 1 });
    const caches = feeds.map(({ name }) => name).filter((name) => name.startsWith('past'));
    return {
      file,
      feeds,
      steps: Array.from({ length: tokens }, (_, i) => laterFeeds(feeds, i)),
      states: Object.fromEntries(caches.map((name) => [name, name.replace('past_key_values', 'present')])),
    };
  };

const tinyGpt = { layers: 2, hidden: 32, heads: 4, words: 60, past: 5, tokens: 3 };
const tinyLlama = { layers: 2, hidden: 96, heads: 6, groups: 2, inner: 64, words: 64, past: 5, tokens: 3 };

export const generationCases = {
  'gpt2 tokens': { make: generating(gpt2), past: 32, tiny: tinyGpt },
  'gpt2 late tokens': { make: generating(gpt2), past: 512, tokens: 16, tiny: tinyGpt },
  'gpt2 q8 tokens': { make: generating(gpt2), products: 'dynamic', past: 32, tiny: tinyGpt },
  'gpt2 merged tokens': { make: generating(gpt2), merged: true, past: 32, tiny: tinyGpt },
  'llama tokens': { make: generating(llama), past: 32, tiny: tinyLlama },
};
