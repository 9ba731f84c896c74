// The drawing of <sliding-window>: the picture, the filter and the result as squares with numbers, and the window over them.
// Its unit is the side of a square of the picture.
import { html, svg, type TemplateResult } from 'lit-html';
import { filter, mostInk, mostSum, picture, places, reach, side } from './convolution.js';

/** A place of the window: parts of it are on the way. */
export interface Spot {
  readonly row: number;
  readonly column: number;
}

/** Where the squares of a grid begin, and their size. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly unit: number;
  readonly count: number;
}

const boxes = {
  input: { x: 0, y: 0, unit: 1, count: side },
  filter: { x: 13.6, y: 3.6, unit: 1.6, count: reach },
  output: { x: 20, y: 1, unit: 1, count: places },
} as const satisfies { readonly [name: string]: Box };

const size = { width: boxes.output.x + places, height: side };
/** Room for the width of lines. */
const margin = 0.1;

interface Square {
  readonly text: string;
  /** From 0 to 1. */
  readonly strength: number;
  readonly kind: 'ink' | 'plus' | 'minus';
}

const strong = 0.55;

function square({ x, y, unit, count }: Box, { text, strength, kind }: Square, number: number): TemplateResult {
  const [left, top] = [x + (number % count) * unit, y + Math.floor(number / count) * unit];
  return svg`<rect class=${`window-${kind}`} x=${left} y=${top} width=${unit} height=${unit} fill-opacity=${strength.toFixed(3)} />
    <text data-strong=${strength > strong} x=${left + unit / 2} y=${top + unit / 2} font-size=${0.5 * unit}>${text}</text>` as TemplateResult;
}

function lines({ x, y, unit, count }: Box): TemplateResult {
  const reachOf = count * unit;
  const all = Array.from({ length: count + 1 }, (_, i) => i * unit);
  const path = all.map((at) => `M${x + at} ${y}v${reachOf}M${x} ${y + at}h${reachOf}`).join('');
  return svg`<path class="window-lines" d=${path} />` as TemplateResult;
}

const signed = (value: number, most: number, text = String(value)): Square => ({
  text: text.replace('-', '−'),
  strength: Math.min(Math.abs(value) / most, 1),
  kind: value < 0 ? 'minus' : 'plus',
});

const inputSquares = picture
  .flat()
  .map((value): Square => ({ text: String(value), strength: value / mostInk, kind: 'ink' }));
const filterSquares = filter.flat().map((value) => signed(value, 4));
const emptySquares = Array.from({ length: places ** 2 }, () => signed(0, 1, ''));

/** @param result the elements of the result; undefined until they are known */
export function drawing(result: readonly string[] | undefined, place: number): TemplateResult {
  const outputSquares = result?.map((text) => signed(Number(text), mostSum, text)) ?? emptySquares;
  const grid = (box: Box, squares: readonly Square[]) =>
    svg`<g>${squares.map((one, i) => square(box, one, i))}${lines(box)}</g>`;
  const view = `${-margin} ${-margin} ${size.width + 2 * margin} ${size.height + 2 * margin}`;
  return html`<svg aria-hidden="true" viewBox=${view} data-place=${place} data-ready=${result !== undefined}>
    ${grid(boxes.input, inputSquares)} ${grid(boxes.filter, filterSquares)} ${grid(boxes.output, outputSquares)}
    <path class="window-rays" />
    <rect class="window-frame" width=${reach} height=${reach} />
    <rect class="window-frame" x=${boxes.filter.x} y=${boxes.filter.y} width=${reach * boxes.filter.unit} height=${reach * boxes.filter.unit} />
    <rect class="window-frame" width="1" height="1" />
  </svg>`;
}

/** Lays the window over a spot: its frames, and the lines from one to the next. */
export function placeWindow(root: Element, { row, column }: Spot): void {
  const [window, , element] = root.querySelectorAll('.window-frame');
  const { input, filter: middle, output } = boxes;
  const [x, y] = [input.x + column, input.y + row];
  const [toX, toY] = [output.x + column, output.y + row];
  const place = (frame: Element | undefined, left: number, top: number): void => {
    frame?.setAttribute('x', left.toFixed(3));
    frame?.setAttribute('y', top.toFixed(3));
  };
  place(window, x, y);
  place(element, toX, toY);
  const end = reach * middle.unit;
  const rays = [
    `M${x + reach} ${y}L${middle.x} ${middle.y}M${x + reach} ${y + reach}L${middle.x} ${middle.y + end}`,
    `M${middle.x + end} ${middle.y}L${toX} ${toY}M${middle.x + end} ${middle.y + end}L${toX} ${toY + 1}`,
  ];
  root.querySelector('.window-rays')?.setAttribute('d', rays.join(''));
}

/** The place that a pointer means: the window around a number of the picture, or of an element of the result. */
export function placeAt(event: MouseEvent): Spot | undefined {
  const svgElement = (event.currentTarget as Element).querySelector('svg');
  if (svgElement === null) return undefined;
  const { left, top, width } = svgElement.getBoundingClientRect();
  const unit = width / (size.width + 2 * margin);
  const [x, y] = [(event.clientX - left) / unit - margin, (event.clientY - top) / unit - margin];
  const within = ({ x: from, y: above, count }: Box) =>
    x >= from && x < from + count && y >= above && y < above + count;
  const clamped = (at: number): number => Math.min(Math.max(Math.floor(at), 0), places - 1);
  const half = Math.floor(reach / 2);
  if (within(boxes.input)) return { row: clamped(y - half), column: clamped(x - half) };
  if (within(boxes.output)) return { row: clamped(y - boxes.output.y), column: clamped(x - boxes.output.x) };
  return undefined;
}
