// Architectures of text: their sizes in the benchmark, and what is smaller in tests.
import { gpt2, llama } from './decoders.mjs';
import { bert } from './encoders.mjs';
import { llamaGroupQuery } from './microsoft.mjs';
import { tagger } from './recurrent.mjs';
import { t5Encoder, t5Step } from './seq2seq.mjs';

const tinyEncoder = { layers: 2, hidden: 32, heads: 4, words: 50, length: 6 };
const tinyGpt = { layers: 2, hidden: 32, heads: 4, words: 60, past: 5 };
const tinyLlama = { layers: 2, hidden: 96, heads: 6, groups: 2, inner: 64, words: 64, past: 5 };

export const textArchitectures = {
  'bert fp32': { make: bert, tiny: tinyEncoder },
  'bert fp16': { make: bert, type: 'float16', tiny: tinyEncoder },
  'bert q8': { make: bert, products: 'dynamic', length: 64, tiny: tinyEncoder },
  'bert qdq': { make: bert, products: 'qdq', opset: 13, tiny: tinyEncoder },
  'bert q4': { make: bert, products: 'q4', length: 16, tiny: tinyEncoder },
  'sentence sdpa': { make: bert, form: 'sdpa', opset: 14, pooling: 'mean', tiny: tinyEncoder },
  'bert dynamo': {
    make: bert,
    form: 'dynamo',
    opset: 18,
    hidden: 512,
    layers: 4,
    heads: 8,
    words: 6000,
    tiny: tinyEncoder,
  },
  albert: { make: bert, shared: true, hidden: 768, layers: 3, length: 16, tiny: tinyEncoder },
  'gpt2 prefill': { make: gpt2, length: 32, past: 0, tiny: { ...tinyGpt, length: 5, past: 0 } },
  'gpt2 step': { make: gpt2, tiny: tinyGpt },
  'gpt2 merged prefill': { make: gpt2, merged: true, length: 16, past: 0, tiny: { ...tinyGpt, length: 5, past: 0 } },
  'gpt2 merged step': { make: gpt2, merged: true, tiny: tinyGpt },
  'gpt2 q8 prefill': { make: gpt2, products: 'dynamic', length: 32, past: 0, tiny: { ...tinyGpt, length: 5, past: 0 } },
  'gpt2 q8 step': { make: gpt2, products: 'dynamic', tiny: tinyGpt },
  'llama step': { make: llama, tiny: tinyLlama },
  'llama fp16 step': { make: llama, type: 'float16', layers: 6, words: 16384, tiny: tinyLlama },
  'llama fp16 prefill': {
    make: llama,
    type: 'float16',
    length: 16,
    past: 0,
    form: 'eager',
    tiny: { ...tinyLlama, length: 5, past: 0 },
  },
  'llama q4 step': { make: llama, products: 'q4', layers: 6, tiny: tinyLlama },
  'llama q4 prefill': {
    make: llama,
    products: 'q4',
    layers: 3,
    length: 16,
    past: 0,
    tiny: { ...tinyLlama, length: 5, past: 0 },
  },
  'llama q8 step': { make: llama, products: 'dynamic', layers: 6, form: 'eager', tiny: tinyLlama },
  't5 encoder': { make: t5Encoder, tiny: { layers: 1, hidden: 32, heads: 4, inner: 64, words: 60, length: 6 } },
  't5 step': {
    make: t5Step,
    words: 16000,
    tiny: { layers: 1, hidden: 32, heads: 4, inner: 64, words: 60, past: 5, memory: 6 },
  },
  'bilstm tagger': { make: tagger, tiny: { words: 40, hidden: 8, length: 5, classes: 6 } },
  'gru tagger': { make: tagger, operator: 'GRU', tiny: { words: 40, hidden: 8, length: 5, classes: 6 } },
  'llama gqa q4 step': { make: llamaGroupQuery, tiny: tinyLlama },
  'llama gqa q4 prefill': {
    make: llamaGroupQuery,
    layers: 3,
    length: 16,
    past: 0,
    tiny: { ...tinyLlama, length: 5, past: 0 },
  },
};
