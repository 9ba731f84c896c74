// A graph of a model as it is drawn: its nodes with the sizes of their weights, what flows between them, and its ends.
import { visible } from '../../../shared/visible.js';
import { type FlatGraph, type FlatNode, type Flow, isConstant } from '../drawing/flat-graph.js';
import { foreignOf, indexOf } from '../facts.js';
import { graphAt } from './graphs.js';
import { operatorName } from './operator-name.js';
import type { ModelReport, ReportNode } from './protocol.js';
import { capturedOf, endsOf, infoOf, type Origin, originOf } from './values-of.js';

/** The most nodes of a graph that are drawn. */
export const mostDrawn = 20_000;
/** The most lines below an operator. */
const mostLines = 4;

type Sizes = readonly (number | string | null)[] | null;

/** The most letters of a size that are shown. A size may be an expression. */
const longestSize = 12;

function sizeText(size: number | string | null): string {
  const text = String(size ?? '?');
  return text.length > longestSize ? `${text.slice(0, longestSize - 1)}…` : text;
}

/** `1×3×224×224`; a text that stands for a scalar where there are no axes. */
export function sizesText({ type, dims }: { readonly type: string | null; readonly dims: Sizes }): string {
  if (dims === null) return type ?? '';
  return dims.length === 0 ? (type ?? '') : visible(dims.map(sizeText).join('×'));
}

/** The most letters of a weight's name before its sizes. */
const longestName = 14;

/** The part of a name that tells it from its neighbours: `weight` of `encoder.layer.0.weight`. */
function lastPart(name: string): string {
  const part = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/'), name.lastIndexOf(':')) + 1) || name;
  return visible(part.length > longestName ? `${part.slice(0, longestName - 1)}…` : part);
}

/** The line of a value that does not flow: of an initializer, or of a Constant node. Undefined for others. */
function constantLine(origin: Origin | undefined): string | undefined {
  if (origin?.kind === 'initializer') return `${lastPart(origin.look.name)} ${sizesText(origin.look)}`;
  if (origin?.kind !== 'node' || !isConstant(origin.node)) return undefined;
  const [, elements] = /^\w+ \[[\d, ]*\] (.*)$/.exec(origin.node.attributes[0]?.text ?? '') ?? [];
  const isShort = elements !== undefined && elements.length <= 20;
  return isShort ? `= ${visible(elements)}` : sizesText(infoOf(origin) ?? unknown);
}

const unknown = { type: null, dims: null };

function drawn(node: ReportNode, number: number, lines: readonly string[]): FlatNode {
  const isOwn = node.domain === '' || node.domain === 'ai.onnx';
  const rest = lines.length - mostLines + 1;
  const shown = rest <= 1 ? lines : [...lines.slice(0, mostLines - 1), `+ ${rest}`];
  return {
    operator: operatorName(node),
    name: node.name,
    outputs: node.outputs.map(({ name }) => name),
    parent: -1,
    look: {
      number,
      group: isOwn ? (indexOf(node.operator) ?? foreignOf(node.operator))?.group : undefined,
      isUnsupported: node.unsupported !== null,
      hasGraphs: node.graphs !== undefined,
      ...(shown.length === 0 ? {} : { lines: shown }),
    },
  };
}

/** The graph at a path, without those within its nodes. */
export function graphToDraw(report: ModelReport, place: string): FlatGraph {
  const all = graphAt(report.nodes, place) ?? [];
  const { inputs, outputs } = endsOf(report, place);
  const nodes: FlatNode[] = [];
  const edges: number[] = [];
  const flows: Flow[] = [];
  const known = new Map<string, { readonly line: string | undefined; readonly text: string }>();
  /** The line of a value that does not flow, and the text of one that does. */
  const textsOf = (name: string) => {
    let texts = known.get(name);
    if (texts === undefined) {
      const origin = originOf(report, place, name);
      texts = { line: constantLine(origin), text: sizesText(infoOf(origin) ?? unknown) || '?' };
      known.set(name, texts);
    }
    return texts;
  };
  const makers = new Map<string, number>();
  const end = (kind: 'input' | 'output', name: string): number =>
    nodes.push({ operator: visible(name), name, outputs: [name], parent: -1, look: { end: kind } }) - 1;
  const numbers = all.map((node, i) => {
    if (isConstant(node)) return undefined;
    const lines = node.inputs.flatMap((input) => textsOf(input).line ?? []);
    return nodes.push(drawn(node, i, lines)) - 1;
  });
  for (const [i, node] of all.entries()) {
    const number = numbers[i];
    if (number !== undefined) for (const { name } of node.outputs) makers.set(name, number);
  }
  for (const { name } of inputs) makers.set(name, end('input', name));
  const connect = (name: string, to: number): void => {
    const { line, text } = textsOf(name);
    if (name === '' || line !== undefined) return;
    const from = makers.get(name) ?? end('input', name); // an inner graph reads it of the graphs around it
    makers.set(name, from);
    edges.push(from, to);
    flows.push({ name, text });
  };
  for (const [i, node] of all.entries()) {
    const to = numbers[i];
    if (to !== undefined) for (const name of new Set(node.inputs)) connect(name, to);
  }
  for (const [name, i] of all.some(({ graphs }) => graphs !== undefined) ? capturedOf(report, place) : []) {
    const to = numbers[i];
    if (to !== undefined && !all[i]?.inputs.includes(name)) connect(name, to);
  }
  for (const { name } of outputs) connect(name, end('output', name));
  const hidden = numbers.filter((number) => number === undefined).length;
  return { nodes, edges: Uint32Array.from(edges), flows, constants: hidden };
}
