// Lines from the sources of an element to it, over the grids of a call.
import { html } from 'lit-html';

/** More sources than these are lit, without lines. */
const mostLines = 48;

/** The layer of the lines, in what it covers. */
export const lineLayer = html`<svg class="viewer-lines" aria-hidden="true"></svg>`;

/** The middle of a cell, half of its sizes, and where its grid begins and ends. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
}

/** The place of a cell, unless its grid has scrolled it out of sight. */
function placeOf(cell: Element): Place | undefined {
  const { left, top, width, height } = cell.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const box = (cell.closest('.grid-box') ?? cell).getBoundingClientRect();
  if (width === 0 || x < box.left || x > box.right || y < box.top || y > box.bottom) return undefined;
  return { x, y, width: width / 2, height: height / 2, left: box.left, right: box.right };
}

/** Cells that are nearer are connected from above or below. */
const nearest = 24;

/** Lines between grids below each other that are farther apart would cross what lies between them. */
const farthestDown = 240;

/** A line from the edge of one cell to the edge of another, which leaves and arrives in the direction in which they lie apart. */
function lineOf(from: Place, to: Place): SVGElement[] {
  const isAcross = Math.abs(to.x - from.x) > from.width + to.width + nearest;
  const isBelow = from.left < to.right && to.left < from.right;
  if ((isBelow || !isAcross) && Math.abs(to.y - from.y) > farthestDown) return [];
  const [right, down] = [Math.sign(to.x - from.x), Math.sign(to.y - from.y)];
  const [x1, y1] = isAcross ? [from.x + right * from.width, from.y] : [from.x, from.y + down * from.height];
  const [x2, y2] = isAcross ? [to.x - right * to.width, to.y] : [to.x, to.y - down * to.height];
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const by = isAcross ? `${x} ${y1} ${x} ${y2}` : `${x1} ${y} ${x2} ${y}`;
  return [shape('path', { d: `M${x1} ${y1}C${by} ${x2} ${y2}` }), shape('circle', { cx: x1, cy: y1, r: 3 })];
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
  if (!end || lit.length > mostLines) {
    layer.replaceChildren();
    return;
  }
  const { left, top } = layer.getBoundingClientRect();
  const within = (place: Place): Place => ({ ...place, x: place.x - left, y: place.y - top });
  const lines = lit.flatMap((cell) => {
    const place = placeOf(cell);
    return place === undefined ? [] : lineOf(within(place), within(end));
  });
  layer.toggleAttribute('data-many', lit.length > 8);
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
