// The nodes of two models, found again in each other.
import type { ModelNode } from 'broadloom';
import { attributeTexts } from './attributes.js';
import type { Change, Digest } from './weights.js';

/** A node as far as models are compared. */
export interface NodeLook {
  readonly name: string;
  readonly domain: string;
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** The node's attributes as texts, by their names. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The graph that it is in: empty for the main one, else attributes and the values beside them, from the outside in. */
  readonly graph: string;
}

/** Without the empty names at the end, which mean the same as none. */
function trimmed(names: readonly string[]): readonly string[] {
  let { length } = names;
  while (length > 0 && names[length - 1] === '') length--;
  return names.slice(0, length);
}

/** The nodes of a list and of the graphs that they hold. Those that hold graphs are noted in `holders`. */
function* looksOf(
  nodes: readonly ModelNode[],
  digest: Digest,
  holders: WeakSet<NodeLook>,
  graph = '',
): Generator<NodeLook> {
  for (const node of nodes) {
    const { name, domain, operator } = node;
    const outputs = trimmed(node.outputs.map((output) => output.name));
    const look: NodeLook = {
      name,
      domain,
      operator,
      inputs: trimmed(node.inputs),
      outputs,
      attributes: attributeTexts(node, digest),
      graph,
    };
    if (node.graphs) holders.add(look);
    yield look;
    const label = outputs.find((output) => output !== '') ?? name;
    for (const [attribute, inner] of Object.entries(node.graphs ?? {}))
      yield* looksOf(inner, digest, holders, `${graph && `${graph}/`}${label}.${attribute}`);
  }
}

const outputKeys = ({ outputs }: NodeLook): string[] => outputs.filter((output) => output !== '');
const nameKeys = ({ name }: NodeLook): string[] => (name === '' ? [] : [name]);
const inGraph = (keys: (node: NodeLook) => string[]) => (node: NodeLook) =>
  keys(node).map((key) => JSON.stringify([node.graph, key]));

const ofOperator = (keys: (node: NodeLook) => string[]) => (node: NodeLook) =>
  keys(node).map((key) => JSON.stringify([node.domain, node.operator, key]));

/**
 * The keys by which nodes are found again. A value of a branch or body may be in the graph around it now, so it comes later, and
 * another operator last: it can stand for a node, but not for one that holds graphs.
 */
function waysOf(holders: WeakSet<NodeLook>): ((node: NodeLook) => string[])[] {
  const ways = [inGraph(outputKeys), inGraph(nameKeys), outputKeys];
  const plain = (keys: (node: NodeLook) => string[]) => (node: NodeLook) => (holders.has(node) ? [] : keys(node));
  return [...ways.map(ofOperator), ...ways.map(plain)];
}

/** Finds nodes of `a` again in `b`; takes those that were found out of both. */
function takePairs(a: Set<NodeLook>, b: Set<NodeLook>, keys: (node: NodeLook) => string[]): Change<NodeLook>[] {
  const byKey = new Map<string, NodeLook[]>();
  for (const node of b)
    for (const key of keys(node)) {
      const others = byKey.get(key);
      if (others) others.push(node);
      else byKey.set(key, [node]);
    }
  for (const others of byKey.values()) others.reverse(); // so that the first is at the end, to be taken
  const pairs: Change<NodeLook>[] = [];
  for (const node of a) {
    for (const key of keys(node)) {
      const others = byKey.get(key) ?? [];
      while (others.length > 0 && !b.has(others.at(-1) as NodeLook)) others.pop();
      const found = others.pop();
      if (found === undefined) continue;
      pairs.push({ a: node, b: found });
      a.delete(node);
      b.delete(found);
      break;
    }
  }
  return pairs;
}

/** The nodes of two models. The nodes of inner graphs follow the node that has the graphs. */
export interface ComparedNodes {
  readonly a: readonly NodeLook[];
  readonly b: readonly NodeLook[];
  /** The nodes that are in both models, as pairs. */
  readonly pairs: readonly Change<NodeLook>[];
  readonly onlyA: readonly NodeLook[];
  readonly onlyB: readonly NodeLook[];
  /** The pairs that differ by more than their names, in the order of A. */
  readonly changed: readonly Change<NodeLook>[];
}

function isSame({ a, b }: Change<NodeLook>): boolean {
  const facts = ({ name, ...others }: NodeLook) => others;
  return JSON.stringify(facts(a)) === JSON.stringify(facts(b));
}

export function compareNodes(before: readonly ModelNode[], after: readonly ModelNode[], digest: Digest): ComparedNodes {
  const holders = new WeakSet<NodeLook>();
  const a = [...looksOf(before, digest, holders)];
  const b = [...looksOf(after, digest, holders)];
  const [onlyA, onlyB] = [new Set(a), new Set(b)];
  const pairs = waysOf(holders).flatMap((way) => takePairs(onlyA, onlyB, way));
  const places = new Map(a.map((node, i) => [node, i]));
  const changed = pairs.filter((pair) => !isSame(pair));
  changed.sort((one, other) => (places.get(one.a) ?? 0) - (places.get(other.a) ?? 0));
  return { a, b, pairs, onlyA: [...onlyA], onlyB: [...onlyB], changed };
}
