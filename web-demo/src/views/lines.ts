// Lines from the sources of an element to it, over the grids of a call.
import { html } from 'lit-html';

/** More sources than these are lit, without lines. */
const mostLines = 48;

/** The layer of the lines, in what it covers. */
export const lineLayer = html`<svg class="viewer-lines" aria-hidden="true"></svg>`;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The middle of a cell, unless its grid has scrolled it out of sight. */
function placeOf(cell: Element): Place | undefined {
  const { left, top, width, height } = cell.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const box = cell.closest('.grid-box')?.getBoundingClientRect();
  if (width === 0 || (box && (x < box.left || x > box.right || y < box.top || y > box.bottom))) return undefined;
  return { x, y };
}

/** A curve that leaves and arrives in the direction in which the two lie apart. */
function pathOf(from: Place, to: Place): string {
  const isAcross = Math.abs(to.x - from.x) > Math.abs(to.y - from.y);
  const middle: Place = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const [leaves, arrives] = isAcross
    ? [`${middle.x} ${from.y}`, `${middle.x} ${to.y}`]
    : [`${from.x} ${middle.y}`, `${to.x} ${middle.y}`];
  return `M${from.x} ${from.y}C${leaves} ${arrives} ${to.x} ${to.y}`;
}

function shape(name: 'path' | 'circle', attributes: { readonly [name: string]: string | number }): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

function draw(root: Element): void {
  const layer = root.querySelector('.viewer-lines');
  if (layer === null) return;
  const chosen = root.querySelector('[data-chosen]');
  const lit = [...root.querySelectorAll('[data-lit]')];
  const end = chosen && placeOf(chosen);
  if (!end || lit.length > mostLines || chosen.closest('[data-stale="true"]')) {
    layer.replaceChildren();
    return;
  }
  const { left, top } = layer.getBoundingClientRect();
  const within = ({ x, y }: Place): Place => ({ x: x - left, y: y - top });
  const lines = lit.flatMap((cell) => {
    const place = placeOf(cell);
    if (place === undefined) return [];
    const [from, to] = [within(place), within(end)];
    return [shape('path', { d: pathOf(from, to) }), shape('circle', { cx: from.x, cy: from.y, r: 3 })];
  });
  layer.replaceChildren(...lines);
}

const watched = new WeakSet<Element>();
const waiting = new WeakSet<Element>();

/** Draws the lines anew, once before the next frame; and from then on whenever what they connect moves. */
export function drawLines(root: Element): void {
  if (!watched.has(root)) {
    watched.add(root);
    new ResizeObserver(() => drawLines(root)).observe(root);
    root.addEventListener('scroll', () => drawLines(root), { capture: true, passive: true });
  }
  if (waiting.has(root)) return;
  waiting.add(root);
  requestAnimationFrame(() => {
    waiting.delete(root);
    draw(root);
  });
}
