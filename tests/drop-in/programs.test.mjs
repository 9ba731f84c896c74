// Packages for onnxruntime, which an alias in the bundler gives Broadloom, beside the same packages with onnxruntime.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { GraphBuilder } from '../../tools/models/graph-builder.mjs';
import { importBundled, packages } from './bundle.mjs';

const folder = mkdtempSync(join(tmpdir(), 'broadloom-programs-'));
after(() => rmSync(folder, { recursive: true }));
const require = createRequire(join(packages, 'package.json'));
const importOriginal = (name) => import(pathToFileURL(require.resolve(name)).href);

test('@gutenye/ocr-node reads the same lines', async () => {
  const sharp = require('sharp');
  const image = join(folder, 'page.png');
  const lines = ['Broadloom 2026', 'reads what is printed', 'Total: 12.50'];
  const texts = lines.map(
    (text, i) => `<text x="30" y="${60 + 60 * i}" font-size="32" font-family="sans-serif">${text}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="220"><rect width="480" height="220" fill="white"/>${texts.join('')}</svg>`;
  await sharp(Buffer.from(svg)).png().toFile(image);
  const read = async ({ default: Ocr }) => (await Ocr.create()).detect(image);
  const theirs = await read(await importOriginal('@gutenye/ocr-node'));
  const ours = await read(await importBundled('ocr', "export { default } from '@gutenye/ocr-node';"));
  assert.ok(theirs.length >= 3, JSON.stringify(theirs));
  assert.deepEqual(
    ours.map(({ text, box }) => ({ text, box })),
    theirs.map(({ text, box }) => ({ text, box })),
  );
  for (const [i, { mean }] of ours.entries()) assert.ok(Math.abs(mean - theirs[i].mean) < 1e-4);
});

/**
 * A classifier of texts in the files that transformers expects: words, a table of vectors for them, and a layer after their mean.
 */
function writeClassifier(path) {
  const words = ['[PAD]', '[UNK]', 'good', 'bad', 'fine', 'awful', 'not'];
  const g = new GraphBuilder(17);
  for (const name of ['input_ids', 'attention_mask']) g.input(name, 'int64', ['batch', 'length']);
  const vectors = words.flatMap((_, i) => [Math.sin(i), Math.cos(3 * i), Math.sin(2 * i + 1)]);
  const embedded = g.op('Gather', [g.weight('vectors', [words.length, 3], vectors), 'input_ids']);
  const mask = g.op('Cast', ['attention_mask'], { to: 1 });
  const wide = g.unsqueeze(mask, 2);
  const sum = g.op('ReduceSum', [g.op('Mul', [embedded, wide]), g.ints([1])], { keepdims: 0 });
  const count = g.op('ReduceSum', [mask, g.ints([1])]);
  const mean = g.op('Div', [sum, count]);
  const layer = [g.weight('w', [3, 2], [1, -1, 0.5, 2, -2, 0.25]), g.weight('b', [2], [0.1, -0.1])];
  g.output(g.op('Gemm', [mean, ...layer], {}, ['logits']), 'float32', ['batch', 2]);
  mkdirSync(join(path, 'onnx'), { recursive: true });
  writeFileSync(join(path, 'onnx/model.onnx'), g.model('classifier'));
  const write = (name, value) => writeFileSync(join(path, name), JSON.stringify(value));
  write('config.json', {
    model_type: 'bert',
    architectures: ['BertForSequenceClassification'],
    id2label: { 0: 'NEGATIVE', 1: 'POSITIVE' },
    label2id: { NEGATIVE: 0, POSITIVE: 1 },
    vocab_size: words.length,
    hidden_size: 3,
  });
  write('tokenizer_config.json', {
    tokenizer_class: 'PreTrainedTokenizerFast',
    model_max_length: 32,
    pad_token: '[PAD]',
  });
  write('tokenizer.json', {
    version: '1.0',
    added_tokens: ['[PAD]', '[UNK]'].map((content, id) => ({ id, content, special: true })),
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      vocab: Object.fromEntries(words.map((word, i) => [word, i])),
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
    },
  });
}

test('a pipeline of @huggingface/transformers classifies texts with the same scores', async () => {
  writeClassifier(join(folder, 'classifier'));
  const texts = ['good', 'not good', 'an awful thing', 'fine fine bad'];
  const classify = async ({ pipeline, env }) => {
    Object.assign(env, { allowRemoteModels: false, localModelPath: folder });
    const run = await pipeline('text-classification', 'classifier', { dtype: 'fp32' });
    const results = [];
    for (const text of texts) results.push(await run(text, { top_k: 2 }));
    return [...results, await run(texts.slice(0, 2), { top_k: 2 })].flat(2);
  };
  const theirs = await classify(await importOriginal('@huggingface/transformers'));
  const ours = await classify(
    await importBundled('transformers', "export { pipeline, env } from '@huggingface/transformers';"),
  );
  assert.deepEqual(
    ours.map(({ label }) => label),
    theirs.map(({ label }) => label),
  );
  for (const [i, { score }] of ours.entries()) assert.ok(Math.abs(score - theirs[i].score) < 1e-6);
  assert.ok(new Set(ours.map(({ score }) => score.toFixed(3))).size > 4);
});
