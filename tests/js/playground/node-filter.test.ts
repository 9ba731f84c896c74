// The nodes of models with subgraphs: their number, the path to each, and the graphs that filters open.
import { expect, test } from '@jest/globals';
import {
  everyNode,
  type GraphNode,
  graphAt,
  graphPath,
  type Nodes,
  nodeAt,
  stepsTo,
  tallyOf,
} from '../../../web-demo/src/models/graphs.js';
import { findNodes, matchesOf, rowsOf } from '../../../web-demo/src/models/node-filter.js';

function node(operator: string, name: string, graphs?: { [attribute: string]: Nodes }, isKnown = true): GraphNode {
  const unsupported = isKnown ? null : `no operator '${operator}'`;
  const plain = {
    name,
    operator,
    domain: '',
    version: isKnown ? 1 : null,
    unsupported,
    inputs: [],
    outputs: [],
  };
  return graphs === undefined ? plain : { ...plain, graphs };
}

const all = { text: '', onlyUnsupported: false };
const last = [node('Identity', 'last'), node('Gelu', 'gelu', undefined, false)];
const thenBranch = [node('Shape', 'shape'), node('Loop', 'loop', { body: last })];
const elseBranch = [node('Constant', 'constant')];
const graph = [node('Identity', 'first'), node('If', 'if', { then_branch: thenBranch, else_branch: elseBranch })];

test('nodes, those that cannot run, and graphs are counted with inner ones', () => {
  expect(tallyOf(graph)).toEqual({ nodes: 7, unsupported: 1, graphs: 4 });
  expect(tallyOf(elseBranch)).toEqual({ nodes: 1, unsupported: 0, graphs: 1 });
  expect(tallyOf([])).toEqual({ nodes: 0, unsupported: 0, graphs: 1 });
});

test('the path of every node leads to it', () => {
  const paths = everyNode(graph).map(({ path }) => path);
  expect(paths).toEqual(['0', '1', '1.0.0', '1.0.1', '1.0.1.0.0', '1.0.1.0.1', '1.1.0']);
  for (const placed of everyNode(graph)) {
    const step = stepsTo(graph, placed.path).at(-1);
    expect(step?.graph[step.index]).toBe(placed.node);
  }
  expect(stepsTo(graph, '1.0.1.0.1').map(({ attribute }) => attribute)).toEqual(['then_branch', 'body', undefined]);
});

test('a filter keeps what matches and the nodes that lead there, and opens their graphs', () => {
  const findings = findNodes(graph, { text: '', onlyUnsupported: true });
  expect(findings.graphs.get(graph)?.matches).toBe(1);
  expect(rowsOf(graph, findings).map(({ index, isMatch }) => [index, isMatch])).toEqual([[1, false]]);
  expect(rowsOf(last, findings).map(({ index, isMatch }) => [index, isMatch])).toEqual([[1, true]]);
  expect([...findings.open]).toEqual([thenBranch, last]);
  expect(rowsOf(elseBranch, findings)).toHaveLength(1); // all, for those who open it
});

test('the name of an operator that only an inner graph has means this operator', () => {
  const findings = findNodes(graph, { text: 'Shape', onlyUnsupported: false });
  expect(findings.graphs.get(graph)?.matches).toBe(1);
  expect(findNodes(graph, { text: 'shap', onlyUnsupported: false }).graphs.get(graph)?.matches).toBe(1);
});

test('small models are open; of large ones, only as much as fits of what matches', () => {
  expect(findNodes(graph, all).open.size).toBe(3);
  const many = Array.from({ length: 100 }, (_, i) =>
    node('If', `${i}`, { then_branch: Array.from({ length: 30 }, () => node('Gelu', '')) }),
  );
  expect(findNodes(many, all).open.size).toBe(0);
  const found = findNodes(many, { text: 'Gelu', onlyUnsupported: false });
  expect(found.graphs.get(many)?.matches).toBe(3000);
  expect(found.open.size).toBe(5); // 50 rows outside, 5 times 30 within
});

test('the matches of a filter are listed by their paths; without a filter there are none', () => {
  expect(matchesOf(graph, { text: 'identity', onlyUnsupported: false })).toEqual(['0', '1.0.1.0.0']);
  expect(matchesOf(graph, { text: '', onlyUnsupported: true })).toEqual(['1.0.1.0.1']);
  expect(matchesOf(graph, all)).toEqual([]);
});

test('the graph and the node at a path are found, and none where there is none', () => {
  expect(graphPath('1.0.1.0.1')).toBe('1.0.1.0.');
  expect(graphPath('7')).toBe('');
  expect(graphAt(graph, '')).toBe(graph);
  expect(graphAt(graph, '1.0.1.0.')).toBe(last);
  expect(graphAt(graph, '0.0.')).toBe(undefined);
  expect(nodeAt(graph, '1.1.0')).toBe(elseBranch[0]);
  expect(nodeAt(graph, '1.5.0')).toBe(undefined);
});
