// A graph of a model as it is drawn: its nodes with the sizes of their weights, what flows between them, and its ends.
import { visible } from '../../../shared/visible.js';
import { type FlatGraph, type FlatNode, isConstant } from '../drawing/flat-graph.js';
import { indexOf } from '../facts.js';
import { graphAt } from './graphs.js';
import { operatorName } from './operator-name.js';
import type { ModelReport, ReportNode } from './protocol.js';

/** The most nodes of a graph that are drawn. */
export const mostDrawn = 20_000;
/** The most lines below an operator. */
const mostLines = 4;

type Sizes = readonly (number | string | null)[] | null;

/** As many letters of a size are shown, which may be an expression. */
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

/** As many letters of a weight's name stand before its sizes. */
const longestName = 14;

/** The part of a name that tells it from its neighbours: `weight` of `encoder.layer.0.weight`. */
function lastPart(name: string): string {
  const part = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/'), name.lastIndexOf(':')) + 1) || name;
  return visible(part.length > longestName ? `${part.slice(0, longestName - 1)}…` : part);
}

/** The texts of values that do not flow: initializers and Constant nodes. */
function constantLines(report: ModelReport, nodes: readonly ReportNode[]): Map<string, string> {
  const lines = new Map(report.initializers.map((one) => [one.name, `${lastPart(one.name)} ${sizesText(one)}`]));
  for (const node of nodes) {
    if (!isConstant(node)) continue;
    const [output] = node.outputs;
    const [, elements] = /^\w+ \[[\d, ]*\] (.*)$/.exec(node.attributes[0]?.text ?? '') ?? [];
    const isShort = elements !== undefined && elements.length <= 20;
    const sizes = sizesText(output?.inferred ?? { type: null, dims: null });
    if (output !== undefined) lines.set(output.name, isShort ? `= ${visible(elements)}` : sizes);
  }
  return lines;
}

function linesOf({ inputs }: ReportNode, constants: ReadonlyMap<string, string>): string[] {
  const lines = inputs.flatMap((input) => constants.get(input) ?? []);
  return lines.length <= mostLines ? lines : [...lines.slice(0, mostLines - 1), `+ ${lines.length - mostLines + 1}`];
}

function drawn(node: ReportNode, number: number, constants: ReadonlyMap<string, string>): FlatNode {
  const isOwn = node.domain === '' || node.domain === 'ai.onnx';
  const lines = linesOf(node, constants);
  return {
    operator: operatorName(node),
    name: node.name,
    outputs: node.outputs.map(({ name }) => name),
    parent: -1,
    look: {
      number,
      group: isOwn ? indexOf(node.operator)?.group : undefined,
      isUnsupported: node.unsupported !== null,
      hasGraphs: node.graphs !== undefined,
      ...(lines.length === 0 ? {} : { lines }),
    },
  };
}

/** The graph at a path, without those within its nodes. */
export function graphToDraw(report: ModelReport, place: string): FlatGraph {
  const all = graphAt(report.nodes, place) ?? [];
  const constants = constantLines(report, all);
  const nodes: FlatNode[] = [];
  const edges: number[] = [];
  const labels: string[] = [];
  const makers = new Map<string, { readonly number: number; readonly label: string }>();
  const end = (kind: 'input' | 'output', name: string): number =>
    nodes.push({ operator: visible(name), name, outputs: [name], parent: -1, look: { end: kind } }) - 1;
  const numbers = all.map((node, i) => (isConstant(node) ? undefined : nodes.push(drawn(node, i, constants)) - 1));
  for (const [i, node] of all.entries()) {
    const number = numbers[i];
    for (const { name, inferred, declared } of number === undefined ? [] : node.outputs) {
      makers.set(name, {
        number: number as number,
        label: sizesText(inferred ?? declared ?? { type: null, dims: null }),
      });
    }
  }
  for (const input of place === '' ? report.inputs : []) {
    makers.set(input.name, { number: end('input', input.name), label: sizesText(input) });
  }
  const connect = (name: string, to: number): void => {
    const isKnown = name === '' || constants.has(name);
    // An inner graph reads it of the graphs around it, or its node gives it.
    if (!isKnown && !makers.has(name)) makers.set(name, { number: end('input', name), label: '' });
    const maker = makers.get(name);
    if (maker === undefined || isKnown) return;
    edges.push(maker.number, to);
    labels.push(maker.label);
  };
  for (const [i, node] of all.entries()) {
    const to = numbers[i];
    if (to !== undefined) for (const name of new Set(node.inputs)) connect(name, to);
  }
  if (place === '') for (const output of report.outputs) connect(output.name, end('output', output.name));
  const hidden = numbers.filter((number) => number === undefined).length;
  return { nodes, edges: Uint32Array.from(edges), labels, constants: hidden };
}
