// The graphs of the page "Simplify": drawn nodes, their positions, and nodes that stay.
import { expect, test } from '@jest/globals';
import type { ModelNode } from 'broadloom';
import { load } from 'broadloom';
import { generatedModels } from '../../../tools/models/generated.mjs';
import { simplifyModels } from '../../../tools/models/samples.mjs';
import { repeatedRuns } from '../../../web-demo/src/drawing/blocks.js';
import { type Brush, draw, firstView, type Inks, spotAt, wholeView } from '../../../web-demo/src/drawing/draw.js';
import type { FlatNode } from '../../../web-demo/src/drawing/flat-graph.js';
import { layOut, nodeHeight } from '../../../web-demo/src/drawing/layout.js';
import { fateOf, nodesAt, type Picture, pictureOf, survivors } from '../../../web-demo/src/drawing/picture.js';
import { flatGraph } from '../../../web-demo/src/simplify/flatten.js';

type Graphs = { [attribute: string]: readonly ModelNode[] };

function node(operator: string, inputs: string[], outputs: string[], name = '', graphs?: Graphs): ModelNode {
  const made = outputs.map((output) => ({ name: output, declared: null, inferred: null }));
  const plain = { name, operator, domain: '', version: 1, unsupported: null, attributes: {}, inputs, outputs: made };
  return graphs === undefined ? plain : { ...plain, graphs };
}

const pairs = (edges: Uint32Array): [number, number][] =>
  Array.from({ length: edges.length / 2 }, (_, i) => [edges[2 * i] as number, edges[2 * i + 1] as number]);

const widthsOf = (count: number): Float64Array => Float64Array.from({ length: count }, (_, i) => 40 + (i % 5) * 20);

/** Lays a graph out, and checks what every layout must have: nodes do not overlap, and each is below its producers. */
function expectLayout(count: number, edges: readonly (readonly [number, number])[]) {
  const widths = widthsOf(count);
  const places = layOut(Uint32Array.from(edges.flat()), widths);
  const rows = new Map<number, number[]>();
  for (let i = 0; i < count; i++) rows.set(places.y[i] as number, [...(rows.get(places.y[i] as number) ?? []), i]);
  const half = (i: number): number => (widths[i] as number) / 2;
  const at = (i: number): number => places.x[i] as number;
  let overlaps = 0;
  for (const row of rows.values()) {
    row.sort((a, b) => at(a) - at(b));
    row.forEach((one, i) => {
      const next = row[i + 1];
      if (next !== undefined && at(one) + half(one) > at(next) - half(next)) overlaps++;
    });
  }
  expect(overlaps).toBe(0);
  expect(edges.filter(([from, to]) => (places.y[from] as number) >= (places.y[to] as number))).toEqual([]);
  const lefts = Array.from(places.x, (x, i) => x - half(i));
  const rights = Array.from(places.x, (x, i) => x + half(i));
  expect(lefts.reduce((a, b) => Math.min(a, b))).toBeCloseTo(0);
  expect(rights.reduce((a, b) => Math.max(a, b))).toBeCloseTo(places.width);
  expect(places.y.reduce((a, b) => Math.max(a, b)) + nodeHeight / 2).toBe(places.height);
  return places;
}

const chain = (count: number): [number, number][] => Array.from({ length: count - 1 }, (_, i) => [i, i + 1]);

test('a chain of 4,000 nodes is a straight column', () => {
  const { x, height } = expectLayout(4000, chain(4000));
  expect(new Set(Array.from(x, (place) => place.toFixed(6))).size).toBe(1);
  expect(height).toBeGreaterThan(4000 * nodeHeight);
});

test('a chain whose nodes are listed backwards is the same column', () => {
  const forwards = expectLayout(50, chain(50));
  const backwards = expectLayout(
    50,
    chain(50).map(([from, to]) => [49 - from, 49 - to]),
  );
  expect([...backwards.y].reverse()).toEqual([...forwards.y]);
});

test('4,000 nodes between one source and one sink stand in rows, not in one line', () => {
  const inner = Array.from({ length: 3998 }, (_, i) => i + 1);
  const { width, height } = expectLayout(
    4000,
    inner.flatMap((i): [number, number][] => [
      [0, i],
      [i, 3999],
    ]),
  );
  expect(width / height).toBeLessThan(5);
  expect(width / height).toBeGreaterThan(0.2);
});

test('4,000 nodes in a thousand branches that meet again have a valid layout', () => {
  const edges = Array.from({ length: 3999 }, (_, i): [number, number][] => {
    const to = i + 1;
    return to % 4 === 0
      ? [[Math.max(0, to - 997), to]]
      : [[to - 1, to], ...(to > 40 ? [[to - 37, to] as [number, number]] : [])];
  }).flat();
  expectLayout(4000, edges);
});

test('no nodes take no room, and nodes without edges stand beside each other', () => {
  expect(layOut(new Uint32Array(), new Float64Array())).toMatchObject({ width: 0, height: 0 });
  expect(expectLayout(3, []).height).toBe(nodeHeight);
});

test('a node without inputs is just above its first reader', () => {
  const { y } = expectLayout(5, [...chain(4), [4, 3]]);
  expect(y[4]).toBe(y[2]);
});

test('the layout of a cycle, which two merged graphs may have, ends', () => {
  const { x, y } = layOut(Uint32Array.from([0, 1, 1, 2, 2, 0, 2, 3]), widthsOf(4));
  expect([...x, ...y].every(Number.isFinite)).toBe(true);
  expect(y[3]).toBeGreaterThan(y[2] as number);
});

test('a node is centered below its producers', () => {
  const widths = new Float64Array(3).fill(50);
  const { x } = layOut(Uint32Array.from([0, 2, 1, 2]), widths);
  expect(x[2]).toBeCloseTo(((x[0] as number) + (x[1] as number)) / 2);
});

test('edges lead from producers to readers, one for each pair', () => {
  const { nodes, edges } = flatGraph([
    node('Relu', ['x'], ['a'], 'first'),
    node('Mul', ['a', 'a'], ['b']),
    node('Add', ['b', '', 'missing'], ['y', '']),
  ]);
  expect(nodes.map(({ operator, name, outputs }) => [operator, name, outputs])).toEqual([
    ['Relu', 'first', ['a']],
    ['Mul', '', ['b']],
    ['Add', '', ['y']],
  ]);
  expect(pairs(edges)).toEqual([
    [0, 1],
    [1, 2],
  ]);
});

test('Constant nodes are counted, not drawn', () => {
  const { nodes, edges, constants } = flatGraph([
    node('Constant', [], ['c']),
    node('Add', ['x', 'c'], ['y']),
    node('Identity', ['c'], ['z']),
  ]);
  expect([nodes.map(({ operator }) => operator), pairs(edges), constants]).toEqual([['Add', 'Identity'], [], 1]);
});

test('inner graphs are drawn: edges lead from the inputs of their node into them, and from them to their node', () => {
  const branch = (name: string): ModelNode[] => [
    node('Neg', ['outer'], [`${name}1`]),
    node('Exp', [`${name}1`], ['out']), // the same name in both graphs
  ];
  const { nodes, edges } = flatGraph([
    node('Relu', ['x'], ['outer']),
    node('Cast', ['x'], ['condition']),
    node('If', ['condition'], ['y'], '', { then_branch: branch('t'), else_branch: [node('Sin', ['w'], ['out'])] }),
    node('Abs', ['y'], ['z']),
  ]);
  const names = nodes.map(({ operator }) => operator);
  const flows = pairs(edges).map(([from, to]) => `${names[from]} ${names[to]}`);
  expect(flows.sort()).toEqual(['Cast If', 'If Abs', 'Relu Neg', 'Neg Exp', 'Exp If', 'Cast Sin', 'Sin If'].sort());
  expect(nodes.filter(({ parent }) => parent === names.indexOf('If'))).toHaveLength(3);
});

test('graphs in one another to a depth of 2,000 are listed', () => {
  let inner = [node('Neg', ['x'], ['y'])];
  for (let i = 0; i < 2000; i++) inner = [node('If', ['c'], ['y'], '', { then_branch: inner })];
  const { nodes, edges } = flatGraph(inner);
  expect([nodes.length, edges.length]).toEqual([2001, 4000]);
});

const flat = (operator: string, outputs: string[], name = ''): FlatNode => ({ operator, outputs, name, parent: -1 });

test('a node stays if it makes the same value, or else has the same name and operator', () => {
  const before = [
    flat('Conv', ['a'], 'conv'),
    flat('Add', ['b'], 'add'),
    flat('Mul', ['c']),
    flat('Exp', ['d'], 'exp'),
  ];
  const after = [flat('Exp', ['d2'], 'exp'), flat('Gemm', ['b'], 'new'), flat('Conv', ['a']), flat('Neg', ['e'])];
  expect(survivors(before, after)).toEqual([3, 1, 0, undefined]);
});

test('no node before matches two nodes after', () => {
  const before = [flat('Neg', ['out'], 'n'), flat('Neg', ['out'], 'n')];
  expect(survivors(before, [flat('Neg', ['out']), flat('Neg', ['out']), flat('Neg', ['out'])])).toEqual([
    0,
    1,
    undefined,
  ]);
});

test('nodes that stay keep their place, and new ones get a place', () => {
  const picture = pictureOf(
    flatGraph([
      node('Conv', ['x'], ['a'], 'conv'),
      node('Shape', ['a'], ['s'], 'shape'),
      node('Reshape', ['a', 's'], ['y'], 'reshape'),
      node('MatMul', ['y', 'w'], ['m'], 'product'),
      node('Add', ['m', 'b'], ['z'], 'sum'),
    ]),
    flatGraph([
      node('Conv', ['x'], ['a'], 'conv'),
      node('Flatten', ['a'], ['f'], 'flatten'),
      node('Gemm', ['f', 'w', 'b'], ['z'], 'gemm'),
    ]),
  );
  const told = picture.spots.map((spot) => [spot.before?.operator, spot.after?.operator, fateOf(spot)]);
  expect(told).toEqual([
    ['Conv', 'Conv', 'stays'],
    ['Shape', undefined, 'goes'],
    ['Reshape', undefined, 'goes'],
    ['MatMul', undefined, 'goes'],
    ['Add', 'Gemm', 'changed'],
    [undefined, 'Flatten', 'comes'],
  ]);
  expect(pairs(picture.edges.after)).toEqual([
    [0, 5],
    [5, 4],
  ]);
  const places = picture.spots.map(({ x, y }) => `${x} ${y}`);
  expect(new Set(places).size).toBe(places.length);
});

test('the sample has every kind of change that the page shows, and its graphs are drawn', async () => {
  const ops = await load();
  using model = ops.loadModel(simplifyModels()['parts.onnx'] as Uint8Array, { allowUnsupported: true });
  const { nodes } = flatGraph(model.nodes);
  const operators = nodes.map(({ operator }) => operator);
  expect(operators).toEqual(
    expect.arrayContaining([
      'Conv',
      'BatchNormalization',
      'Shape',
      'Gather',
      'Concat',
      'If',
      'ReduceMax',
      'Loop',
      'Mul',
    ]),
  );
  expect(model.warnings).toEqual([]);
  const graph = flatGraph(model.nodes);
  const picture = pictureOf(graph, graph);
  expect(new Set(picture.spots.map(fateOf))).toEqual(new Set(['stays']));
});

test('blocks that repeat three times or more are found, the ones that hide most nodes first', () => {
  expect(repeatedRuns([...`in${'abcd'.repeat(9)}abxyxyxy${'z'.repeat(20)}end`])).toEqual([
    { start: 2, length: 4, times: 9 },
    { start: 46, length: 1, times: 20 },
  ]);
  expect(repeatedRuns([...'abcdefghijklmnopqrstuvwxyz'.repeat(2)])).toEqual([]);
  expect(repeatedRuns([])).toEqual([]);
});

test('runs do not overlap, and never reach beyond the end', () => {
  let seed = 20;
  const next = (below: number): number => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  for (let round = 0; round < 200; round++) {
    const block = Array.from({ length: 1 + next(7) }, () => next(3));
    const labels = Array.from({ length: 6 }, () =>
      Array.from({ length: next(9) }, () => [...block, ...(next(9) ? [] : [7])]),
    );
    const list = labels.flat(3);
    const isTaken = list.map(() => false);
    for (const { start, length, times } of repeatedRuns(list)) {
      for (let i = start; i < start + length * times; i++) {
        expect([isTaken[i], list[i]]).toEqual([false, list[start + ((i - start) % length)]]);
        isTaken[i] = true;
      }
    }
  }
});

test('the layers of a transformer collapse to one block, which has the number of their nodes', async () => {
  const ops = await load();
  const nodesOf = (file: Uint8Array) => {
    using model = ops.loadModel(file, { allowUnsupported: true });
    return flatGraph(model.nodes);
  };
  const file = generatedModels.bert({ layers: 6 });
  const graphs = [nodesOf(file), nodesOf(ops.simplify(file, { dims: { batch: 1 } }).bytes)] as const;
  const whole = pictureOf(...graphs);
  const picture = pictureOf(...graphs, { isCollapsed: true }) as Picture;
  const spots = picture.spots.filter(({ repeats }) => repeats !== undefined);
  expect(spots.map(({ before, after }) => [before?.operator, after?.operator])).toEqual([['× 5', '× 5']]);
  expect(fateOf(spots[0] as Picture['spots'][number])).toBe('changed');
  for (const side of ['before', 'after'] as const) {
    const count = (all: Picture): number => all.spots.reduce((sum, spot) => sum + nodesAt(spot, side), 0);
    expect(count(picture)).toBe(count(whole));
    expect([...picture.edges[side]].every((spot) => picture.spots[spot]?.[side] !== undefined)).toBe(true);
  }
  expect(picture.spots.length).toBeLessThan(whole.spots.length / 3);
  expect(picture.height).toBeLessThan(whole.height / 3);
});

test('nodes of graphs within repeated blocks are collapsed, too', () => {
  const list = Array.from({ length: 20 }, (_, i) =>
    node('If', ['c'], [`y${i}`], '', { then_branch: [node('Neg', [`y${i - 1}`], ['n'])] }),
  );
  const graph = flatGraph([node('Relu', ['x'], ['y-1']), ...list, node('Abs', ['y19'], ['z'])]);
  const picture = pictureOf(graph, graph, { isCollapsed: true }) as Picture;
  const names = picture.spots.map(({ before }) => before?.operator);
  expect(names).toEqual(['Relu', 'If', '× 19', 'Abs', 'Neg']);
  expect(picture.spots[2]?.repeats).toEqual({ times: 19, nodes: { before: 38, after: 38 }, isChanged: false });
  expect(pairs(picture.edges.before).map(([from, to]) => `${names[from]} ${names[to]}`)).toContain('If × 19');
});

test('without blocks that repeat there is nothing to collapse', () => {
  const graph = flatGraph([node('Conv', ['x'], ['a']), node('Relu', ['a'], ['y'])]);
  expect(pictureOf(graph, graph, { isCollapsed: true })).toBe(undefined);
});

const inks: Inks = {
  ...{ ink: 'ink', edge: 'edge', chosen: 'chosen', fontFamily: 'sans' },
  ...{
    bad: 'bad',
    small: 'small',
    ground: 'ground',
    heat: 'heat',
    groups: { move: 'orange' },
    deepGroups: { move: 'brown' },
  },
  fills: { stays: 'white', changed: 'blue', goes: 'red', comes: 'green' },
  strokes: { stays: 'white', changed: 'blue', goes: 'red', comes: 'green' },
};

/** Draws a side, and returns how often each canvas function was called, and the labels. */
function drawn(picture: Picture, side: 'before' | 'after', view: { k: number; x: number; y: number }) {
  const calls: { [name: string]: number } = {};
  const labels: string[] = [];
  const brush = new Proxy({} as Brush, {
    get: (_, name: string) => (text: unknown) => {
      calls[name] = (calls[name] ?? 0) + 1;
      if (name === 'fillText') labels.push(String(text));
    },
    set: () => true,
  });
  draw(brush, picture, side, view, { width: 600, height: 400 }, 2, inks);
  return { calls, labels };
}

const longChain = Array.from({ length: 4000 }, (_, i) => node(`Op${i}`, [`v${i}`], [`v${i + 1}`]));
const chainPicture = pictureOf(flatGraph(longChain), flatGraph(longChain.slice(0, 2000)));

test('only visible nodes are drawn', () => {
  const { calls, labels } = drawn(chainPicture, 'before', { k: 1, x: 0, y: 0 });
  expect(labels.slice(0, 3)).toEqual(['Op0', 'Op1', 'Op2']);
  expect(labels.length).toBeLessThan(10);
  expect(calls.fill).toBe(labels.length);
  expect(calls.moveTo).toBeLessThan(10);
});

test('a side has its own nodes alone, and their labels when these are large enough', () => {
  const view = wholeView(chainPicture, { width: 600, height: 400 });
  const before = drawn(chainPicture, 'before', view);
  const after = drawn(chainPicture, 'after', view);
  expect([before.calls.fillRect, after.calls.fillRect]).toEqual([4000, 2000]);
  expect([...before.labels, ...after.labels]).toEqual([]);
});

test('nodes that are too small for a border have the colour of their group', () => {
  const [spot] = chainPicture.spots as [Picture['spots'][number]];
  const after = { ...(spot.after as object), look: { group: 'move' } } as Picture['spots'][number]['after'];
  const none = { before: new Uint32Array(), after: new Uint32Array() };
  const picture = { ...chainPicture, spots: [{ ...spot, before: after, after }], edges: none };
  const filled: unknown[] = [];
  const brush = {} as { fillStyle: unknown };
  const calls = new Proxy(brush, {
    get: (_, name) => () => void (name === 'fillRect' && filled.push(brush.fillStyle)),
  }) as Brush;
  draw(calls, picture, 'after', { k: 0.1, x: 0, y: 0 }, { width: 600, height: 400 }, 1, inks);
  expect(filled).toEqual(['brown']);
});

test('the initial view has readable labels: all of a small graph, or the top of a large one', () => {
  expect(firstView(chainPicture, { width: 600, height: 400 })).toMatchObject({ k: 0.6, y: 12 });
  const small = pictureOf(flatGraph(longChain.slice(0, 4)), flatGraph([]));
  expect(firstView(small, { width: 600, height: 400 })).toEqual(wholeView(small, { width: 600, height: 400 }));
});

test('the initial view shows both sides: the first node that both have, or else the whole', () => {
  const area = { width: 600, height: 400 };
  const other = longChain.map(({ operator, ...one }) => ({
    ...one,
    operator: `${operator}b`,
    outputs: one.outputs.map((output) => ({ ...output, name: `${output.name}b` })),
  }));
  const apart = pictureOf(flatGraph(longChain), flatGraph(other as typeof longChain));
  expect(firstView(apart, area)).toEqual(wholeView(apart, area));
  const late = pictureOf(flatGraph(longChain), flatGraph(longChain.slice(3000)));
  const first = late.spots.find(({ before, after }) => before && after);
  expect(firstView(late, area)).toMatchObject({ k: 0.6, y: 100 - (first?.y ?? 0) * 0.6 });
});

test('the node at a point is found on the side that has it', () => {
  const { x, y } = chainPicture.spots[3000] as Picture['spots'][number];
  expect(spotAt(chainPicture, 'before', x + 5, y - 5)).toBe(3000);
  expect(spotAt(chainPicture, 'after', x, y)).toBe(undefined);
  expect(spotAt(chainPicture, 'before', x + 500, y)).toBe(undefined);
});
