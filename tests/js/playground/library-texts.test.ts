// Sentences of the library among the words of a Chinese page.
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import { graphAttribute, input, model, node, output } from '../../../tools/models/writer.mjs';
import { librarySentence } from '../../../web-demo/src/texts/library.js';

const ops = await load();
const chinese = (message: string) => librarySentence(message, 'zh');

const source = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('every format that the library tells apart has its Chinese sentence', () => {
  const code = source('src/onnx/other_formats.cpp');
  const names = [
    ...code.matchAll(/(?:\d, |return |\? |: |append\(|but )"?((?:an? |NumPy arrays|JSON|ONNX written)[^"]*)"/g),
  ];
  expect(names.length).toBeGreaterThan(30);
  for (const [, name = ''] of names) {
    const { text, lang } = chinese(`not an ONNX file, but ${name.replace('{}', "'some words'")}`);
    expect([name, lang]).toEqual([name, 'zh-CN']);
    expect(text).not.toMatch(/\b(?:an?|file|which|convert|unpack)\b/);
  }
  for (const file of ['', '{"a": 1}', 'GGUF....', 'version https://git-lfs.github.com/spec/v1']) {
    expect(() => ops.loadModel(new TextEncoder().encode(file))).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/^byte/) }),
    );
  }
});

/** The reasons why graphs of a model are left. */
function reasonsOf(nodes: readonly Uint8Array[], inputs: readonly Uint8Array[]): string[] {
  const graph = [...nodes, ...inputs, output('y', 'float32', ['m'])];
  return ops.simplify(model('kept', graph, [])).report.kept.map(({ reason }) => reason);
}

const branch = (name: string) => [node('Abs', '', ['x'], [name]), output(name, 'float32', ['n'])];
const choice = node(
  'If',
  'choice',
  ['c'],
  ['y'],
  [graphAttribute('then_branch', branch('one')), graphAttribute('else_branch', branch('two'))],
);
const x = input('x', 'float32', ['n']);

test('the reasons why graphs are left have their Chinese sentences', () => {
  expect(reasonsOf([choice], [x, input('c', 'bool', [])]).map((reason) => chinese(reason).text)).toEqual([
    '条件取决于输入 c 的值',
  ]);
  for (const [reason, text] of [
    ['a Scan is never written out', 'Scan 不会展开'],
    ['its condition is not known before a run', '条件在运行前未知'],
    ["its condition follows from the size 'n' of the input 'x'", '条件取决于输入 x 的尺寸 n'],
    ["its trip count follows from the rank of the input 'x'", '循环次数取决于输入 x 的轴数'],
    ["its trip count follows from size 2 of the input 'x'", '循环次数取决于输入 x 的轴 2 的尺寸'],
    ['its trip count is made by Op (it), which tells only when it runs', '循环次数由 Op（it）产生，运行时才知道'],
    ["the external data 'w' was not given: nothing is computed of it", '没有提供外部数据文件 w：依赖它的部分没有计算'],
  ] as const)
    expect(chinese(reason).text).toBe(text);
  expect(librarySentence('a Scan is never written out', 'en')).toEqual({
    text: 'a Scan is never written out',
    lang: 'en',
  });
});

test('no reason of a report is without a Chinese sentence', () => {
  const [, body = ''] = /function reasonOf[^{]*\{(.*?)\n\}/s.exec(source('js/src/simplify/report.ts')) ?? [];
  const sizes = ["the size 'n'", 'the rank', 'size 1'];
  const texts = [...body.matchAll(/return ['`](.*?)['`];/g)].flatMap(([, text = '']) =>
    ['its trip count', 'its condition'].flatMap((what) =>
      sizes.map((size) =>
        text
          .replace(/\$\{what\}/, what)
          .replace(/\$\{size\}/, size)
          .replace(/\$\{[^}]*\}/g, 'v'),
      ),
    ),
  );
  expect(texts.length).toBeGreaterThan(6 * 5);
  for (const text of texts) expect([text, chinese(text).lang]).toEqual([text, 'zh-CN']);
});
