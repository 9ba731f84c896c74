// Every value of a growing graph is computed at once, node by node, in several worlds: sizes of names with elements of inputs. So a
// node is added only where it runs in each, and dims are known without a second rule: an axis is the list of its sizes.
import { emptyGraph, readsOf, write } from './structure.mjs';
import { copyOf } from './tensors.mjs';

export const sizeNames = ['N', 'M', 'K'];

/** Sizes of the names, by world. The second one has other elements alone; the last one may have sizes of 0, and need not run. */
export function drawWorlds(random) {
  const first = random.shuffled([2, 3, 4, 5]).slice(0, 3);
  const other = random.shuffled([1, 2, 4, 6, 7]).slice(0, 3);
  const ones = [1, 1, 1].map((one) => (random.chance(0.6) ? one : random.integer(2, 9)));
  const zeros = ones.map((size) => (random.chance(0.4) ? 0 : size));
  return [first, first, other, ones, zeros].map((sizes) =>
    Object.fromEntries(sizeNames.map((name, i) => [name, sizes[i]])),
  );
}
export const requiredWorlds = 4;
export const worldCount = 5;

/** Computes nodes with a runtime, one by one. */
export class Evaluator {
  constructor(ops) {
    this.ops = ops;
  }

  /** The outputs of a node in each world: lists of tensors, and undefined where the node fails in a world that need not run. */
  run(node, find, functions) {
    const names = readsOf(node);
    const values = names.map((name) => find(name));
    const graph = emptyGraph();
    graph.inputs = values.map(({ name, type }) => ({ name, type }));
    graph.nodes = [node];
    graph.outputs = node.outputs.filter((name) => name !== '').map((name) => ({ name }));
    const { file } = write({ graph, functions, opset: this.opset });
    this.last = { file, values };
    const model = this.ops.loadModel(file, { optimize: false });
    try {
      return Array.from({ length: worldCount }, (_, world) => this.#runIn(model, world, values));
    } finally {
      model.dispose();
    }
  }

  #runIn(model, world, values) {
    if (values.some(({ worlds }) => worlds[world] === undefined)) return undefined;
    const feeds = Object.fromEntries(values.map(({ name, worlds }) => [name, worlds[world]]));
    try {
      return this.ops.scope(() =>
        Object.fromEntries(Object.entries(model.run(feeds)).map(([name, one]) => [name, copyOf(one)])),
      );
    } catch (error) {
      if (world < requiredWorlds || error.code === 'DISPOSED' || error.name !== 'OnnxError') throw error;
      return undefined;
    }
  }
}

/**
 * A value of the graph: its tensor in each world, and `dims`, a list of sizes by world for each axis; undefined where its rank
 * depends on the world.
 */
export function knownValue(name, worlds, isFed = true) {
  const ranks = worlds.slice(0, requiredWorlds).map(({ dims }) => dims.length);
  const dims = ranks.every((rank) => rank === ranks[0])
    ? worlds[0].dims.map((_, axis) => worlds.map((one) => one?.dims[axis]))
    : undefined;
  return { name, type: worlds[0].type, dims, worlds, isFed };
}

/** Whether two axes have the same size in every world that must run. */
export const isSameAxis = (a, b) => a.slice(0, requiredWorlds).every((size, world) => size === b[world]);
/** Whether an axis has one size in every world that runs. */
export const isFixed = (axis) => axis.every((size) => size === undefined || size === axis[0]);
