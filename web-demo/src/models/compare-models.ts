// The differences between two models, with the paths of their nodes.
import type { Model } from 'broadloom';
import { diffModels } from '../../../shared/model-diff/models.js';
import { compareNodes, type NodeLook } from '../../../shared/model-diff/nodes.js';
import type { Data } from '../../../shared/model-diff/weights.js';
import { everyNode, type NodePath } from './graphs.js';
import type { CompareAnswer } from './protocol.js';

/** Texts that stand for elements: a number for each list of elements that differs from those before. */
export class Contents {
  readonly #lists = new Map<number, Uint8Array[]>();
  #count = 0;
  readonly #texts = new Map<Uint8Array, string>();

  readonly textOf = (data: Data): string => {
    const bytes = Array.isArray(data)
      ? new TextEncoder().encode(JSON.stringify(data))
      : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    let sum = bytes.length;
    for (const byte of bytes) sum = (Math.imul(sum, 31) + byte) | 0;
    const alike = this.#lists.get(sum) ?? [];
    const known = alike.find((other) => other.length === bytes.length && other.every((byte, i) => byte === bytes[i]));
    if (known !== undefined) return this.#texts.get(known) as string;
    const kept = bytes.slice();
    const text = `#${++this.#count}`;
    this.#lists.set(sum, [...alike, kept]);
    this.#texts.set(kept, text);
    return text;
  };
}

export function compareModels(a: Model, b: Model): Omit<CompareAnswer, 'other'> {
  const { textOf } = new Contents();
  const nodes = compareNodes(a.nodes, b.nodes, textOf);
  // Both list nodes in one order: the nodes of inner graphs follow the node that has the graphs.
  const paths = (looks: readonly NodeLook[], model: Model): Map<NodeLook, NodePath> => {
    const all = everyNode(model.nodes);
    return new Map(looks.map((look, i) => [look, all[i]?.path ?? '']));
  };
  const [pathsA, pathsB] = [paths(nodes.a, a), paths(nodes.b, b)];
  const pathA = (look: NodeLook): NodePath => pathsA.get(look) ?? '';
  const pathB = (look: NodeLook): NodePath => pathsB.get(look) ?? '';
  return {
    ok: true,
    diff: diffModels(a, b, { ofAttribute: textOf }, nodes),
    pairs: nodes.pairs.map((pair) => ({ a: pathA(pair.a), b: pathB(pair.b) })),
    onlyA: nodes.onlyA.map(pathA),
    onlyB: nodes.onlyB.map(pathB),
    changed: nodes.changed.map((pair) => ({ a: pathA(pair.a), b: pathB(pair.b) })),
  };
}
