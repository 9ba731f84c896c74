// The costs of nodes of models, the memory between them, and outputs that are boxes, without a browser.
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import { generatedModels } from '../../../tools/models/generated.mjs';
import { sampleModels } from '../../../tools/models/samples.mjs';
import { boxLayout, classNames } from '../../../web-demo/src/models/box-layout.js';
import { costOf } from '../../../web-demo/src/models/cost.js';
import { describeNodes } from '../../../web-demo/src/models/describe.js';
import { memorySteps } from '../../../web-demo/src/models/memory-line.js';
import type { ModelReport, ProfileAnswer, ReportNode } from '../../../web-demo/src/models/protocol.js';

const ops = await load();

function reportOf(bytes: Uint8Array): ModelReport {
  const model = ops.loadModel(bytes, { allowUnsupported: true });
  const { opset, inputs, outputs, warnings, metadata, nodes, initializers } = model;
  return {
    ...{ ok: true, opset, inputs, outputs, warnings, metadata, size: 0, missing: [] },
    ...describeNodes(nodes, ops.operators()),
    initializers: initializers.map(({ read: _, ...look }) => look),
  };
}

const edges = reportOf(sampleModels()['edges.onnx'] as Uint8Array);
const dims = {
  image: [1, 3, 4, 8],
  grey_image: [1, 1, 4, 8],
  across_and_down: [1, 2, 4, 8],
  squares: [1, 2, 4, 8],
};

test('a convolution costs two operations for each weight of each output, and a mean one for each input', () => {
  const cost = (path: string) => costOf(edges, path, edges.nodes[Number(path)] as ReportNode, dims);
  expect(cost('1')).toEqual({ flops: 2 * 64 * 9, bytes: 4 * (32 + 18 + 64) });
  expect(cost('0')).toEqual({ flops: 96, bytes: 4 * (96 + 32) + 8 });
});

test('what a node costs is unknown where dims are, and nothing where it only moves', () => {
  expect(costOf(edges, '1', edges.nodes[1] as ReportNode, {})).toEqual({ flops: undefined, bytes: undefined });
  const bert = reportOf(generatedModels.bert({ layers: 1 }) as Uint8Array);
  const moves = bert.nodes.findIndex(({ operator }) => operator === 'Transpose');
  expect(costOf(bert, String(moves), bert.nodes[moves] as ReportNode, {}).flops ?? 0).toBe(0);
});

test('a value is alive from its node to its last reader, and what a view reads as long as the view', () => {
  const row = (bytes: number, calls = 1) => ({ node: '', operator: '', microseconds: 1, bytes, calls });
  const answer = {
    ...{ ok: true, runs: 1, dims: {}, memory: { liveTensors: 0, bytesInUse: 0, planBytes: 0, heapBytes: 0 } },
    // The square is computed in place: it takes no memory, and its operand lives until the sum.
    nodes: [row(32), row(64), row(0), row(32), row(0, 0), row(32)],
  } as const satisfies ProfileAnswer;
  expect(memorySteps(edges, answer).map(({ path, bytes }) => [path, bytes])).toEqual([
    ['0', 32],
    ['1', 96],
    ['2', 64],
    ['3', 96],
    ['5', 64],
  ]);
});

test('dims of boxes are told by the grids of the picture, and dims of texts are not boxes', () => {
  const size = { height: 640, width: 640 };
  expect(boxLayout([1, 84, 8400], size)).toBe('yolov8');
  expect(boxLayout([1, 25200, 85], size)).toBe('yolov5');
  expect(boxLayout([1, 300, 6], size)).toBe('end-to-end');
  expect(boxLayout([1, 84, 3549], { height: 416, width: 416 })).toBe('yolov8');
  expect(boxLayout([1, 40, 6625], { height: 48, width: 320 })).toBeUndefined();
  expect(boxLayout([1, 1, 480, 640], size)).toBeUndefined();
});

test('names of classes are read from dictionaries of Python, from lists, and from lines', () => {
  expect(classNames({ names: "{0: 'person', 1: \"driver's seat\", 12: 'stop sign'}" })).toEqual({
    ...{ 0: 'person', 1: "driver's seat", 12: 'stop sign' },
  });
  expect(classNames({ labels: '["cat", "dog"]' })).toEqual({ 0: 'cat', 1: 'dog' });
  expect(classNames({ classes: 'cat\ndog' })).toEqual({ 0: 'cat', 1: 'dog' });
  expect(classNames({ producer: 'somebody' })).toEqual({});
});
