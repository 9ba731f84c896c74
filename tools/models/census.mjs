// Counts what a simplifier should have taken out of a model: by the bytes alone, so that one rule counts for every tool.
import { flat, functionNodesOf, outlineOf } from './reader.mjs';

/** Runs differ, the node stands for how its operand is stored, or only running it tells how long it runs: no tool has to. */
const keptOnConstants = new Set([
  'Loop',
  'Scan',
  'QuantizeLinear',
  'DequantizeLinear',
  'RandomNormal',
  'RandomNormalLike',
  'RandomUniform',
  'RandomUniformLike',
  'Multinomial',
  'Bernoulli',
]);
const inner = (node) => node.graphs.flatMap((graph) => graph.nodes);
const everyNode = (nodes) => nodes.flatMap((node) => [node, ...everyNode(inner(node))]);

/** The values that a node reads: its operands, and those that its graphs take from around them. */
function readsOf(node) {
  const within = node.graphs.flatMap((graph) => {
    const own = new Set([...graph.inputs, ...graph.initializers, ...graph.nodes.flatMap(({ outputs }) => outputs)]);
    return [...graph.outputs, ...graph.nodes.flatMap(readsOf)].filter((name) => !own.has(name));
  });
  return [...node.inputs.filter((name) => name !== ''), ...within];
}

/** Nodes whose results nobody needs, in a graph and in those within. */
function deadIn({ nodes, outputs }) {
  const needed = new Set(outputs);
  const alive = new Set();
  for (let before = -1; before < alive.size; ) {
    before = alive.size;
    for (const node of nodes.toReversed()) {
      if (alive.has(node) || !node.outputs.some((name) => needed.has(name))) continue;
      alive.add(node);
      for (const name of readsOf(node)) needed.add(name);
    }
  }
  const dead = nodes.filter((node) => !alive.has(node));
  return [...dead, ...nodes.filter((node) => alive.has(node)).flatMap(({ graphs }) => graphs.flatMap(deadIn))];
}

/** Nodes that read constants and nothing else. */
function constantFedIn({ nodes, constants }, around = new Set()) {
  const known = new Set([...around, ...constants]);
  for (const { operator, outputs } of nodes) if (operator === 'Constant') known.add(outputs[0]);
  const fed = nodes.filter((node) => {
    const reads = readsOf(node);
    return reads.length > 0 && reads.every((name) => known.has(name)) && !keptOnConstants.has(node.operator);
  });
  return [...fed, ...nodes.flatMap(({ graphs }) => graphs.flatMap((graph) => constantFedIn(graph, known)))];
}

/** How many nodes each operator has, graphs in nodes and functions included. */
export function operatorCounts(file) {
  const counts = {};
  for (const { operator, domain } of [...everyNode(outlineOf(file).nodes), ...flat(functionNodesOf(file))]) {
    const name = domain === '' || domain === 'ai.onnx' ? operator : `${domain}.${operator}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

export function census(file) {
  const graph = outlineOf(file);
  const counts = operatorCounts(file);
  return {
    bytes: file.length,
    nodes: Object.values(counts).reduce((sum, count) => sum + count, 0),
    constantNodes: counts.Constant ?? 0,
    shapes: counts.Shape ?? 0,
    ifs: counts.If ?? 0,
    loops: (counts.Loop ?? 0) + (counts.Scan ?? 0),
    constantFed: constantFedIn(graph).length,
    dead: deadIn(graph).length,
  };
}
