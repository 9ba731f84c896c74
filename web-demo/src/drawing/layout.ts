// Places for the nodes of a graph, layer below layer. Made for graphs of some thousand nodes: every step takes time in
// proportion to nodes and edges (and to sorting a row), and none calls itself.

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Centres of the nodes, by their numbers, and the size of the whole, which begins at 0, 0. */
export interface Places extends Size {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Height of a node that has its operator alone. */
export const nodeHeight = 28;
/** From the lower end of a row to the upper one of the next. */
const rowGap = 32;
/** Between nodes of a row. */
const gap = 18;
/** The most nodes in a row. A layer with more nodes has several rows. */
const mostInRow = 64;
const sweeps = 8;

/** The neighbours of each node on one side, in one array. The neighbours of node i begin at starts[i]. */
interface Neighbours {
  readonly starts: Uint32Array;
  readonly list: Uint32Array;
}

/** @param side 0 lists for each node where its edges come from, 1 where they go to. */
function neighbours(count: number, edges: Uint32Array, side: 0 | 1): Neighbours {
  const starts = new Uint32Array(count + 1);
  const own = 1 - side;
  for (let i = own; i < edges.length; i += 2) (starts[(edges[i] as number) + 1] as number) += 1;
  for (let i = 0; i < count; i++) (starts[i + 1] as number) += starts[i] as number;
  const next = starts.slice();
  const list = new Uint32Array(edges.length / 2);
  for (let i = 0; i < edges.length; i += 2) {
    const node = edges[i + own] as number;
    const place = next[node] as number;
    list[place] = edges[i + side] as number;
    next[node] = place + 1;
  }
  return { starts, list };
}

/**
 * The layer of each node: one below the lowest node whose values it reads. If edges form a cycle, as the edges of two graphs
 * together may, the first remaining node of the cycle is placed next.
 */
function layersOf(count: number, from: Neighbours, to: Neighbours): Int32Array {
  const layers = new Int32Array(count);
  const waiting = Int32Array.from(
    { length: count },
    (_, i) => (from.starts[i + 1] as number) - (from.starts[i] as number),
  );
  const isDone = new Uint8Array(count);
  const order = new Uint32Array(count);
  const ready: number[] = [];
  for (let i = 0; i < count; i++) if (waiting[i] === 0) ready.push(i);
  let first = 0;
  for (let done = 0, at = 0; done < count; done++) {
    let node = ready[at++];
    if (node === undefined) {
      while (isDone[first] === 1) first++;
      node = first;
      at--;
    }
    isDone[node] = 1;
    order[done] = node;
    const below = (layers[node] as number) + 1;
    for (let i = to.starts[node] as number; i < (to.starts[node + 1] as number); i++) {
      const next = to.list[i] as number;
      if (isDone[next] === 1) continue;
      layers[next] = Math.max(layers[next] as number, below);
      if (--(waiting[next] as number) === 0) ready.push(next);
    }
  }
  // A node with no more makers than readers stands just above its first reader: no edge grows by more than another one shrinks.
  const degree = ({ starts }: Neighbours, node: number): number =>
    (starts[node + 1] as number) - (starts[node] as number);
  for (let at = count - 1; at >= 0; at--) {
    const node = order[at] as number;
    if (degree(to, node) === 0 || degree(from, node) > degree(to, node)) continue;
    let least = Number.POSITIVE_INFINITY;
    for (let i = to.starts[node] as number; i < (to.starts[node + 1] as number); i++) {
      least = Math.min(least, layers[to.list[i] as number] as number);
    }
    layers[node] = Math.max(layers[node] as number, least - 1);
  }
  return layers;
}

/** The nodes of each row, from the top. */
function rowsOf(layers: Int32Array): number[][] {
  const byLayer: number[][] = [];
  layers.forEach((layer, node) => {
    byLayer[layer] ??= [];
    (byLayer[layer] as number[]).push(node);
  });
  return byLayer.flat(0).flatMap((nodes) => {
    const rows = Math.ceil(nodes.length / mostInRow);
    const length = Math.ceil(nodes.length / rows);
    return Array.from({ length: rows }, (_, i) => nodes.slice(i * length, (i + 1) * length));
  });
}

/** Nodes of a row that touch each other, as one: the mean of where they want to be, measured at the first of them. */
interface Block {
  sum: number;
  count: number;
}

/**
 * Moves the nodes of a row, which keep their order and their distances, as near to where they want to be as the sum of
 * squares allows.
 */
function settle(row: readonly number[], wanted: Float64Array, widths: Float64Array, x: Float64Array): void {
  const blocks: Block[] = [];
  const offsets: number[] = [];
  let offset = 0;
  row.forEach((node, i) => {
    if (i > 0) offset += ((widths[row[i - 1] as number] as number) + (widths[node] as number)) / 2 + gap;
    offsets.push(offset);
    let block: Block = { sum: (wanted[node] as number) - offset, count: 1 };
    for (let last = blocks.at(-1); last !== undefined; last = blocks.at(-1)) {
      if (last.sum / last.count < block.sum / block.count) break;
      block = { sum: last.sum + block.sum, count: last.count + block.count };
      blocks.pop();
    }
    blocks.push(block);
  });
  let i = 0;
  for (const { sum, count } of blocks) {
    for (let end = i + count; i < end; i++) x[row[i] as number] = sum / count + (offsets[i] as number);
  }
}

/** The mean of the neighbours' places, for each node of a row; its own place if it has none. */
function want(row: readonly number[], sides: readonly Neighbours[], x: Float64Array, wanted: Float64Array): void {
  for (const node of row) {
    let sum = 0;
    let count = 0;
    for (const { starts, list } of sides) {
      for (let i = starts[node] as number; i < (starts[node + 1] as number); i++) sum += x[list[i] as number] as number;
      count += (starts[node + 1] as number) - (starts[node] as number);
    }
    wanted[node] = count === 0 ? (x[node] as number) : sum / count;
  }
}

/**
 * @param edges from, to, from, to ...: numbers of nodes
 * @param widths of the nodes, by their numbers
 * @param heights of the nodes; all have `nodeHeight` where none are given
 */
export function layOut(
  edges: Uint32Array,
  widths: Float64Array,
  heights = new Float64Array(widths.length).fill(nodeHeight),
): Places {
  const count = widths.length;
  const from = neighbours(count, edges, 0);
  const to = neighbours(count, edges, 1);
  const rows = rowsOf(layersOf(count, from, to));
  const x = new Float64Array(count);
  const wanted = new Float64Array(count);
  for (const row of rows) settle(row, wanted, widths, x);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const isDown = sweep % 2 === 0;
    const isLast = sweep >= sweeps - 2; // where the order stays, and both sides count
    const sides = isLast ? [from, to] : [isDown ? from : to];
    for (const row of isDown ? rows : rows.toReversed()) {
      want(row, sides, x, wanted);
      if (!isLast) row.sort((a, b) => (wanted[a] as number) - (wanted[b] as number));
      settle(row, wanted, widths, x);
    }
  }
  const y = new Float64Array(count);
  let top = 0;
  for (const row of rows) {
    const height = row.reduce((most, node) => Math.max(most, heights[node] as number), 0);
    for (const node of row) y[node] = top + height / 2;
    top += height + rowGap;
  }
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    left = Math.min(left, (x[i] as number) - (widths[i] as number) / 2);
    right = Math.max(right, (x[i] as number) + (widths[i] as number) / 2);
  }
  if (count === 0) return { x, y, width: 0, height: 0 };
  return {
    x: x.map((place) => place - left),
    y,
    width: right - left,
    height: top - rowGap,
  };
}
