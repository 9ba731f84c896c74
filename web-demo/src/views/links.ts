// Which elements belong together across the grids of a call, and lighting them.
import type { CallReport, TensorReport } from '../runtime/protocol.js';
import type { TensorGrid } from './grid.js';
import type { Pointed } from './grid-plane.js';
import { drawLines } from './lines.js';
import { offsetOf, type Source, sourceOf } from './mapping.js';
import { tracedElements } from './traces.js';

const sources = new WeakMap<CallReport, readonly Source[]>();

/** The source of every output of a call. Compares elements, so it is found once. */
export function sourcesOf(call: CallReport): readonly Source[] {
  let found = sources.get(call);
  if (found === undefined) {
    found = call.outputs.map((output) => sourceOf(output, call.inputs));
    sources.set(call, found);
  }
  return found;
}

/** The input that a tensor is a view of; undefined for inputs, and for outputs that read none. */
export function inputOf(call: CallReport, report: TensorReport): TensorReport | undefined {
  const source = sourcesOf(call)[call.outputs.indexOf(report)];
  return source?.kind === 'input' ? (call.inputs[source.input] as TensorReport) : undefined;
}

export function readsOneElement(call: CallReport, report: TensorReport): boolean {
  return sourcesOf(call)[call.outputs.indexOf(report)]?.kind === 'element';
}

/** Lights elements of a grid; `turns`: and turns to the plane of the first one. */
function lightElements(grid: TensorGrid, elements: readonly number[] | undefined, turns: boolean): void {
  const lit = new Set(elements);
  const [first] = lit;
  if (first !== undefined && turns) grid.reveal(first);
  grid.light(first === undefined ? undefined : (cell) => lit.has(cell));
}

/**
 * Marks the element that is described, and lights what belongs to it: an output's source, or all outputs that an input stands for.
 *
 * @param turns - whether grids turn to the plane of a source
 */
export function lightLinks(root: Element, call: CallReport | undefined, chosen: Pointed, turns: boolean): void {
  const { report, position } = chosen;
  for (const grid of root.querySelectorAll<TensorGrid>('tensor-grid')) {
    const other = grid.given?.report;
    if (other === report && turns) grid.reveal(position);
    grid.choose(other === report ? position : undefined);
    if (call === undefined || other === undefined || other === report) grid.light(undefined);
    else if (inputOf(call, report) === other) lightElements(grid, [offsetOf(position, report)], turns);
    else if (inputOf(call, other) === report) grid.light((cell) => offsetOf(cell, other) === position);
    else lightElements(grid, tracedElements(call, report, position, other), turns);
  }
  const isOne = call !== undefined && readsOneElement(call, report);
  for (const element of root.querySelectorAll('[data-one-element]')) element.toggleAttribute('data-lit', isOne);
  drawLines(root);
}
