// The page "Models" without a browser: models as plain data, the graphs that are drawn of them, and where values come from.
import { expect, test } from '@jest/globals';
import { load, type Model } from 'broadloom';
import { missingFiles } from '../../../shared/missing-files.js';
import { generatedModels } from '../../../tools/models/generated.mjs';
import { sampleModels, simplifyModels } from '../../../tools/models/samples.mjs';
import { edgeAt, edgeLabels, type PlacedLabel } from '../../../web-demo/src/drawing/edge-labels.js';
import { groupColour } from '../../../web-demo/src/drawing/inks.js';
import { edgesOf, nextSpot } from '../../../web-demo/src/drawing/neighbours.js';
import { type Picture, pictureOf, type Spot } from '../../../web-demo/src/drawing/picture.js';
import { operatorGroups } from '../../../web-demo/src/facts.js';
import { describeNodes } from '../../../web-demo/src/models/describe.js';
import { graphToDraw, sizesText } from '../../../web-demo/src/models/model-graph.js';
import type { ModelReport } from '../../../web-demo/src/models/protocol.js';
import { endsOf, originOf, readersOf } from '../../../web-demo/src/models/values-of.js';

const ops = await load();

function reportOf(model: Model): ModelReport {
  const { opset, inputs, outputs, warnings, metadata, nodes, initializers } = model;
  return {
    ...{ ok: true, opset, inputs, outputs, warnings, metadata, size: 0, missing: [] },
    ...describeNodes(nodes, ops.operators()),
    initializers: initializers.map(({ read: _, ...look }) => look),
  };
}

const bert = ops.loadModel(generatedModels.bert({ layers: 4 }), { allowUnsupported: true });
const report = reportOf(bert);
const choice = reportOf(ops.loadModel(sampleModels()['keep-or-clear.onnx'] as Uint8Array, { allowUnsupported: true }));

test('a model is told as data that can be cloned, with its attributes as texts', () => {
  expect(structuredClone(report)).toEqual(report);
  const attributes = new Map(
    report.nodes.flatMap((node) => node.attributes.map((one) => [`${node.operator} ${one.name}`, one])),
  );
  expect(attributes.get('Cast to')?.text).toMatch(/^\d+ \(\w+\)$/);
  expect(attributes.get('Transpose perm')?.text).toMatch(/^\[\d(, \d)*\]$/);
  expect(attributes.get('Constant value')).toMatchObject({ hasElements: true });
  expect(report.versions['MatMul-13']?.inputs.map(({ name }) => name)).toEqual(['A', 'B']);
});

test('long lists and large tensors of attributes stay with the model', () => {
  const elements = Float32Array.from({ length: 5000 }, (_, i) => i);
  const values = ops.nodeModel('Constant', [], { value: ops.tensor('float32', elements, [5000]) });
  const [one] = describeNodes(ops.loadModel(values['model.onnx'] as Uint8Array).nodes, ops.operators()).nodes;
  expect(one?.attributes).toEqual([{ name: 'value', text: 'float32 [5000]', hasElements: true }]);
});

test('elements of attributes are told in the fewest digits of their type; those of narrow types are not told as bits', () => {
  const textOf = (value: unknown) => {
    const file = ops.nodeModel('Constant', [], { value } as never)['model.onnx'] as Uint8Array;
    return describeNodes(ops.loadModel(file).nodes, ops.operators()).nodes[0]?.attributes[0]?.text;
  };
  expect(textOf(ops.tensor('float32', [0.1, -0, Infinity], [3]))).toBe('float32 [3] [0.1, -0, inf]');
  expect(textOf(ops.tensor('int64', [2n ** 60n], []))).toBe('int64 [] 1152921504606846976');
  expect(textOf(ops.tensor('bool', [1, 0], [2]))).toBe('bool [2] [True, False]');
  expect(textOf(ops.tensor('string', ['a"'], [1]))).toMatch(/^string \[1\] .*a/);
  expect(textOf(ops.tensor('float16', [0x3c00], [1]))).toBe('float16 [1]');
});

test('missing files are listed with the initializers that have their elements there', () => {
  const one = (name: string, location: string | null) => ({
    name,
    external: location === null ? null : { location, offset: 0, length: null },
  });
  expect(missingFiles(['a', 'c'], [one('v', 'a'), one('w', null), one('x', 'b'), one('y', 'a')])).toEqual([
    { location: 'a', initializers: ['v', 'y'] },
    { location: 'c', initializers: [] },
  ]);
});

test('a graph is drawn with its inputs and outputs, and with sizes on its edges', () => {
  const { nodes, edges, flows, constants } = graphToDraw(report, '');
  const ends = nodes.filter(({ look }) => look?.end !== undefined).map(({ name, look }) => [look?.end, name]);
  expect(ends).toEqual(
    expect.arrayContaining([
      ['input', 'input_ids'],
      ['output', 'pooler_output'],
    ]),
  );
  expect(flows).toHaveLength(edges.length / 2);
  expect(flows).toContainEqual({ name: 'input_ids', text: 'batch×sequence' });
  expect(nodes.length + constants).toBe(report.nodes.length + report.inputs.length + report.outputs.length);
});

test('weights and constants stand in the nodes that read them', () => {
  const lines = graphToDraw(report, '').nodes.flatMap(({ look }) => look?.lines ?? []);
  expect(lines).toEqual(expect.arrayContaining(['bias_68 16', '= 0', '1×512']));
});

test('operators that do not run have the colour of their group, too, and no two groups have one colour', () => {
  const parts = reportOf(ops.loadModel(simplifyModels()['parts.onnx'] as Uint8Array, { allowUnsupported: true }));
  const groups = new Map(graphToDraw(parts, '').nodes.map(({ operator, look }) => [operator, look?.group]));
  expect([groups.get('Conv'), groups.get('If'), groups.get('Relu')]).toEqual(['convolution', 'control', 'activation']);
  const colours = operatorGroups.map(({ name }) => groupColour(name));
  expect(new Set(colours).size).toBe(colours.length);
});

test('an inner graph is drawn by itself, with the values of the graph around it as inputs', () => {
  const index = choice.nodes.findIndex(({ operator }) => operator === 'If');
  const main = graphToDraw(choice, '');
  expect(main.nodes.find(({ look }) => look?.number === index)?.look?.hasGraphs).toBe(true);
  const inner = graphToDraw(choice, `${index}.0.`);
  expect(inner.nodes.some(({ look }) => look?.end === 'input')).toBe(true);
});

test('sizes are joined as Netron has them, and a scalar has its type', () => {
  expect(sizesText({ type: 'float32', dims: [1, 'n', null] })).toBe('1×n×?');
  expect(sizesText({ type: 'float32', dims: [] })).toBe('float32');
  expect(sizesText({ type: null, dims: null })).toBe('');
  expect(sizesText({ type: 'float32', dims: ['floor((height + 1)/(2))', 3] })).toBe('floor((heig…×3');
});

test('a value comes from a node, an initializer or an input, in the graph or in those around it', () => {
  const path = report.nodes.findIndex(({ operator }) => operator === 'MatMul');
  const node = report.nodes[path];
  const origin = originOf(report, '', node?.inputs[0] ?? '');
  expect(origin?.kind).toBe('node');
  expect(originOf(report, '', 'input_ids')).toMatchObject({ kind: 'input', place: '', info: { name: 'input_ids' } });
  const initializer = report.initializers[0]?.name ?? '';
  expect(originOf(report, '', initializer)).toMatchObject({ kind: 'initializer', index: 0 });
  expect(originOf(report, '', 'no such value')).toBe(undefined);
  expect(readersOf(report, '', node?.outputs[0]?.name ?? '').length).toBeGreaterThan(0);
  const index = choice.nodes.findIndex(({ operator }) => operator === 'If');
  const read = choice.nodes[index]?.graphs?.then_branch?.[0]?.inputs[0] ?? '';
  expect(originOf(choice, `${index}.0.`, read)).toBeDefined();
});

const spot = (x: number, y: number): Spot => {
  const node = { operator: 'Neg', name: '', outputs: [] };
  return { x, y, width: 40, height: 28, before: node, after: node };
};

test('values of inner graphs come from their inputs, and are read in the graphs within them', () => {
  const parts = simplifyModels()['parts.onnx'] as Uint8Array;
  const model = reportOf(ops.loadModel(parts, { allowUnsupported: true }));
  const loop = model.nodes.findIndex(({ operator }) => operator === 'Loop');
  const place = `${loop}.0.`;
  expect(originOf(model, place, 'value')).toMatchObject({ kind: 'input', place, info: { type: 'float32' } });
  expect(originOf(model, place, 'half')).toMatchObject({ kind: 'initializer', place: '' });
  expect(endsOf(model, place).outputs.map(({ name }) => name)).toEqual(['condition_after', 'value_after']);
  expect(readersOf(model, '', 'half')).toEqual([`${place}1`]);
  const { nodes, flows } = graphToDraw(model, place);
  expect(nodes.flatMap(({ look, name }) => (look?.end === 'output' ? [name] : []))).toEqual([
    'condition_after',
    'value_after',
  ]);
  expect(flows).toContainEqual({ name: 'value', text: 'batch×1' });
});

test('an edge leads to a node whose inner graph reads a value', () => {
  const { nodes, edges, flows = [] } = graphToDraw(choice, '');
  const index = choice.nodes.findIndex(({ operator }) => operator === 'If');
  const into = flows.flatMap(({ name }, i) =>
    nodes[edges[2 * i + 1] as number]?.look?.number === index ? [name] : [],
  );
  expect(choice.nodes[index]?.inputs).toEqual(['keep']);
  expect(into).toEqual(['keep', 'x']);
});

test('an edge has all values that flow between two nodes', () => {
  const nodes = ['Split', 'Concat'].map((operator) => ({ operator, name: '', outputs: [], parent: -1 }));
  const flows = ['a', 'b', 'a'].map((name) => ({ name, text: '2×3' }));
  const graph = { nodes, edges: Uint32Array.from([0, 1, 0, 1, 0, 1]), flows, constants: 0 };
  const picture = pictureOf(graph, graph);
  expect([...picture.edges.after]).toEqual([0, 1]);
  expect(picture.flows.after?.[0]?.map(({ name }) => name)).toEqual(['a', 'b']);
  const [label] = edgeLabels(
    picture.spots,
    picture.edges.after,
    picture.flows.after ?? [],
    () => true,
    () => 10,
  );
  expect(label?.text).toBe('2×3 +1');
  expect(edgeAt([label as PlacedLabel], label?.x ?? 0, label?.y ?? 0)).toBe(0);
  expect(edgeAt([label as PlacedLabel], (label?.x ?? 0) + 20, label?.y ?? 0)).toBe(undefined);
  expect([edgesOf(picture, 'after', 0), edgesOf(picture, 'after', 1)]).toEqual([[0], [0]]);
});

test('labels of edges do not lie over each other, and those out of sight are left out', () => {
  const spots = [spot(0, 0), spot(0, 60), spot(5, 60), spot(900, 60)];
  const edges = Uint32Array.from([0, 1, 0, 2, 0, 3]);
  const width = (text: string): number => text.length * 6;
  const flows = (...texts: string[]) => texts.map((text, i) => [{ name: `v${i}`, text }]);
  const all = edgeLabels(spots, edges, flows('1×2×3', '1×2×3', '9'), () => true, width);
  expect(all.map(({ edge, text }) => [edge, text])).toEqual([
    [0, '1×2×3'],
    [2, '9'],
  ]);
  const marked = edgeLabels(spots, edges, flows('1×2×3', '1×2×3', '9'), () => true, width, 1);
  expect(marked.map(({ edge }) => edge)).toEqual([1, 2]);
  expect(edgeLabels(spots, edges, flows('a', '', 'c'), (_, to) => to.x < 100, width)).toHaveLength(1);
});

test('keys lead along edges up and down, and along rows to both sides', () => {
  const picture: Picture = {
    ...{ width: 300, height: 200, constants: { before: 0, after: 0 }, flows: { before: undefined, after: undefined } },
    spots: [spot(100, 14), spot(50, 74), spot(150, 74), spot(100, 134)],
    edges: { before: new Uint32Array(), after: Uint32Array.from([0, 1, 0, 2, 1, 3, 2, 3]) },
  };
  const from = (chosen: number | undefined, direction: 'up' | 'down' | 'left' | 'right') =>
    nextSpot(picture, 'after', chosen, direction, { x: 149, y: 70 });
  expect(from(undefined, 'down')).toBe(2);
  expect([from(2, 'up'), from(2, 'down'), from(2, 'left'), from(1, 'right')]).toEqual([0, 3, 1, 2]);
  expect([from(0, 'up'), from(3, 'down'), from(0, 'left')]).toEqual([undefined, undefined, undefined]);
});

test('the layers of a transformer are one block in the drawing of the page, and can all be drawn', () => {
  const graph = graphToDraw(report, '');
  const whole = pictureOf(graph, graph);
  const collapsed = pictureOf(graph, graph, { isCollapsed: true });
  expect(collapsed?.spots.filter(({ repeats }) => repeats !== undefined).map(({ repeats }) => repeats?.times)).toEqual([
    3,
  ]);
  expect(whole.flows.after).toHaveLength(whole.edges.after.length / 2);
  expect(collapsed?.flows.after).toHaveLength((collapsed?.edges.after.length ?? 0) / 2);
});
