// The search over everything on the first page.
import { expect, test } from '@jest/globals';
import { stateOf } from '../../../web-demo/src/router.js';

// The build of the site says which real models it has.
Object.assign(globalThis, { realModels: ['silero_vad_v5.onnx', 'ch_PP-OCRv4_rec_infer.onnx'] });
const { destinations, searchEverything } = await import('../../../web-demo/src/home/destinations.js');

const firstFor = (text: string): string | undefined => searchEverything(text)[0]?.row.address;

test.each([
  ['torch.expand', '#/operators/Expand'],
  ['np.tile', '#/operators/Tile'],
  ['卷积', '#/operators/Conv'],
  ['conv', '#/operators/Conv'],
  ['softmax', '#/operators/Softmax'],
  ['If', '#/operators/If'],
  ['simplify', '#/simplify'],
  ['简化', '#/simplify'],
  ['models', '#/models'],
  ['模型', '#/models'],
  ['打开模型', '#/models'],
  ['open a model', '#/models'],
  ['slowest layer', '#/models'],
  ['netron', '#/models'],
  ['compare two models', '#/models'],
  ['fix the batch size', '#/simplify'],
  ['prepare', '#/prepare'],
  ['图片', '#/prepare'],
  ['benchmark', '#/benchmark'],
  ['python code', '#/try'],
  ['embed', '#/try'],
  ['edges', '#/models/edges'],
  ['fixed batch size', '#/simplify'],
  ['dynamic axes', '#/simplify'],
  ['what changed between versions', '#/operators/Expand'],
  ['compare 2 models', '#/models'],
  ['比较两个模型', '#/models'],
  ['the pixels that a model gets', '#/prepare'],
  ['share a link', '#/try'],
  ['iframe', '#/try'],
  ['why does reshape fail', '#/operators/Reshape'],
  ['ConstantOfShape 9 21', '#/operators/ConstantOfShape'],
  ['broadcast [3, 1] by [2, 1, 6]', '#/operators/Expand'],
  ['卷积怎么滑动', '#/operators/Conv'],
  ['silero', '#/simplify/silero'],
  ['getting started', '../reference/documents/Getting_started.html'],
  ['memory and lifetimes', '../reference/documents/Memory_and_lifetimes.html'],
  ['errors', '../reference/documents/Errors.html'],
  ['security', '../reference/documents/Security.html'],
])('%s leads first to %s', (text, address) => {
  expect(firstFor(text)).toBe(address);
});

test('the name of a preset leads to "Prepare" with its steps', () => {
  const address = firstFor('yolo');
  expect(address).toMatch(/^#\/prepare\/image\?/);
  expect(stateOf(address as string)).toMatchObject({ route: { page: 'prepare' }, isLinkDamaged: false });
  expect(stateOf(address as string).prepare?.image.resize).toContain('640');
  expect(firstFor('imagenet')).toBe('#/prepare');
});

test('every address within the site is one that it knows, and no two destinations of a kind have the same name', () => {
  const inside = destinations.filter(({ address }) => address.startsWith('#'));
  expect(inside.length).toBeGreaterThan(150);
  for (const { address } of inside) expect([address, stateOf(address).route.page]).not.toContain('unknown');
  const names = destinations.map(({ kind, name }) => `${kind} ${name}`);
  expect(new Set(names).size).toBe(names.length);
});

test('every destination is found by its name in each language, and a page before all others', () => {
  for (const { kind, address, names } of destinations) {
    for (const name of Object.values(names)) {
      const found = searchEverything(name).map(({ row }) => row.address);
      expect([name, found.slice(0, kind === 'page' ? 1 : 9)]).toEqual([name, expect.arrayContaining([address])]);
    }
  }
});

test('what nobody knows finds nothing', () => {
  expect(searchEverything('zzzz')).toEqual([]);
  expect(searchEverything('zzzz qqqq')).toEqual([]);
});

test('no comment in the code of a guide is taken for a heading', () => {
  const guides = destinations.filter(({ kind }) => kind === 'guide');
  expect(
    guides.flatMap(({ aliases }) => aliases).filter((alias) => /FAILED|->|node_modules|note:/.test(alias)),
  ).toEqual([]);
});
