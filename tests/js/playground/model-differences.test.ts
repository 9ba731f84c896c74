// Two models side by side on the page "Models": rows of differences, and the marks in their drawing.
import { expect, test } from '@jest/globals';
import { load, type Model } from 'broadloom';
import {
  graphAttribute,
  initializer,
  input,
  integerAttribute,
  model,
  node,
  output,
} from '../../../tools/models/writer.mjs';
import { fateOf, pictureOf } from '../../../web-demo/src/drawing/picture.js';
import { Contents, compareModels } from '../../../web-demo/src/models/compare-models.js';
import { describeNodes } from '../../../web-demo/src/models/describe.js';
import { differenceRows, drawnPairs } from '../../../web-demo/src/models/differences.js';
import { graphToDraw } from '../../../web-demo/src/models/model-graph.js';
import type { CompareAnswer, ModelReport } from '../../../web-demo/src/models/protocol.js';

const ops = await load();

function reportOf(read: Model): ModelReport {
  const { opset, inputs, outputs, warnings, metadata, nodes, initializers } = read;
  return {
    ...{ ok: true, opset, inputs, outputs, warnings, metadata, size: 0, missing: [] },
    ...describeNodes(nodes, ops.operators()),
    initializers: initializers.map(({ read: _, ...look }) => look),
  };
}

interface Parts {
  readonly weights?: readonly number[];
  readonly axis?: number;
  readonly inner?: string;
  readonly last?: string;
  readonly extra?: string;
  /** An operator in the place of If. */
  readonly instead?: string;
}

function made({ weights = [1, 2], axis = 1, inner = 'Neg', last = 'Tanh', extra, instead }: Parts): Model {
  const branch = (operator: string, name: string) => [
    node(operator, name, ['sum'], [`${name}_out`]),
    output(`${name}_out`, 'float32', ['n', 2]),
  ];
  const graph = [
    node('Add', 'add', ['x', 'w'], ['sum']),
    instead === undefined
      ? node(
          'If',
          'choose',
          ['c'],
          ['chosen'],
          [graphAttribute('then_branch', branch(inner, 'then')), graphAttribute('else_branch', branch('Abs', 'else'))],
        )
      : node(instead, 'choose', ['sum'], ['chosen']),
    node('Softmax', 'soft', ['chosen'], ['share'], [integerAttribute('axis', axis)]),
    ...(extra === undefined ? [] : [node(extra, 'more', ['share'], ['unread'])]),
    node(last, 'last', ['share'], ['y']),
    initializer('w', [2], [...weights]),
    input('x', 'float32', ['n', 2]),
    input('c', 'bool', []),
    output('y', 'float32', ['n', 2]),
  ];
  return ops.loadModel(model('made', graph), { allowUnsupported: true });
}

function compared(a: Parts, b: Parts) {
  const [one, other] = [made(a), made(b)];
  const report = reportOf(one);
  const answer: CompareAnswer = { ...compareModels(one, other), other: reportOf(other) };
  const rows = differenceRows(report, answer);
  const [before, after] = [graphToDraw(report, ''), graphToDraw(answer.other, '')];
  const picture = pictureOf(before, after, { pairs: drawnPairs(before, after, answer, rows) });
  const fates = Object.fromEntries(picture.spots.map((spot) => [(spot.after ?? spot.before)?.name, fateOf(spot)]));
  return { answer, rows, fates };
}

test('equal models have no rows, and every node stays', () => {
  const { rows, fates, answer } = compared({}, {});
  expect(rows).toEqual([]);
  expect(new Set(Object.values(fates))).toEqual(new Set(['stays']));
  expect(answer.pairs.length).toBe(6);
});

test('an attribute, an operator and weights that differ mark their nodes', () => {
  const { rows, fates } = compared({}, { axis: 0, last: 'Exp', weights: [1, 5] });
  expect(rows.map(({ kind, a, node: { name }, parts, weights }) => [kind, a, name, parts, weights])).toEqual([
    ['changed', '2', 'soft', [{ name: 'axis', a: '1', b: '0' }], []],
    ['changed', '3', 'last', [{ name: 'operator', a: 'Tanh', b: 'Exp' }], []],
    ['changed', '0', 'add', [], ['w']],
  ]);
  expect(fates).toMatchObject({ add: 'changed', choose: 'stays', soft: 'changed', last: 'changed', x: 'stays' });
});

test('a node that only one model has is drawn on its side', () => {
  const { rows, fates } = compared({}, { extra: 'Ceil' });
  expect(rows.map(({ kind, a, b }) => [kind, a, b])).toEqual([['onlyB', undefined, '3']]);
  expect(fates).toMatchObject({ more: 'comes', last: 'stays' });
  expect(compared({ extra: 'Ceil' }, {}).fates).toMatchObject({ more: 'goes' });
});

test('another operator takes the place of a node, but not of one that holds graphs', () => {
  const { rows } = compared({}, { instead: 'Abs', last: 'Exp' });
  const looks = rows.map(({ kind, a, b, node: { operator } }) => [kind, a, b, operator]);
  expect(looks).toContainEqual(['changed', '3', '3', 'Exp']);
  expect(looks).toContainEqual(['onlyA', '1', undefined, 'If']);
  expect(looks).toContainEqual(['onlyB', undefined, '1', 'Abs']);
});

test('a difference within a branch marks the node that has it', () => {
  const { rows, fates } = compared({}, { inner: 'Exp' });
  expect(rows.map(({ kind, a, b }) => [kind, a, b])).toEqual([['changed', '1.0.0', '1.0.0']]);
  expect(fates).toMatchObject({ choose: 'changed', add: 'stays' });
});

test('elements are told by numbers, equal ones by the same', () => {
  const { textOf } = new Contents();
  const list = Float32Array.of(1, 2, 3);
  expect([textOf(list), textOf(Float32Array.of(1, 2, 4)), textOf(list.slice()), textOf(['a']), textOf(['b'])]).toEqual([
    '#1',
    '#2',
    '#1',
    '#3',
    '#4',
  ]);
});
