// Errors of loadModel name the node and the place in the file. tests/onnx has the rules that a file can break.
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { expectRefusal } from './helpers/runtime.js';

const ops = await load({});
const identity = { op: 'Identity', inputs: ['x'], outputs: ['y'] };
const inputs = [proto.value('x', 'float32')];
const refused = (spec: proto.ModelSpec, wanted: Parameters<typeof expectRefusal>[2]) =>
  expectRefusal(ops, () => ops.loadModel(proto.model(spec)), wanted);

test('errors name a node by its name, or by its number if it has none', () => {
  for (const [name, node] of [
    ['the loom', 'the loom'],
    ['', '#1'],
  ])
    refused(
      { nodes: [identity, { op: 'Weave', inputs: ['x'], outputs: ['z'], name }], inputs },
      { code: 'UNKNOWN_OPERATOR', operator: 'Weave', opset: 25, node, says: [`'${node}'`, 'graph.node[1]'] },
    );
});

test('a long name is cut in errors, between two characters', () => {
  const name = '\u{1f9f6}'.repeat(1000);
  const error = refused({ nodes: [{ op: 'Weave', name }] }, { code: 'UNKNOWN_OPERATOR', says: ['\u{1f9f6}\u{1f9f6}'] });
  expect(error.message.length).toBeLessThan(700);
  expect(error.message).not.toContain('\ufffd');
  expect(name.startsWith(error.node ?? 'no node')).toBe(true);
});

test('the place in the file is a path and a byte offset', () => {
  const initializers = [proto.tensor('int8', [1], [1], 'ok'), proto.tensorHead('int8', [2], 'w')];
  refused({ initializers }, { code: 'INVALID_MODEL', says: ['graph.initializer[1]', 'byte '] });
});
