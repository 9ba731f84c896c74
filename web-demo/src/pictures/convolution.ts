// Convolutions and pools: the window over the input with its padding, the filter beside it, and the element that they make.
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { typeRow } from '../facts.js';
import type { CallReport, ComputedTensor, TensorReport } from '../runtime/protocol.js';
import { pictureTexts } from '../texts/pictures.js';
import { indexOf } from '../views/mapping.js';
import type { Board, Mark } from './board.js';
import { tensorDraft } from './compute.js';
import { behind, boardFigure, planeCaption } from './parts.js';
import { photograph } from './photograph.js';
import { type Drawing, elementStops, type Moment, type Subject } from './plan.js';
import { countTo, factor, isKnown, numbersOf, product, short, textsOf } from './values.js';
import { type AxisWindow, drawnAfter, insideOf, reachOf, windowsOf } from './window.js';

/** Where an operator has its inputs. */
interface Parts {
  readonly x: number;
  readonly w?: number;
  readonly bias?: number;
  readonly xZero?: number;
  readonly wZero?: number;
}

const partsOf: { readonly [operator: string]: Parts } = {
  Conv: { x: 0, w: 1, bias: 2 },
  ConvInteger: { x: 0, w: 1, xZero: 2, wZero: 3 },
  QLinearConv: { x: 0, w: 3, bias: 8, xZero: 2, wZero: 5 },
};

/** The most terms that are written. */
const mostTerms = 16;

interface Geometry {
  readonly subject: Subject;
  readonly x: TensorReport;
  readonly y: TensorReport;
  readonly w: TensorReport | undefined;
  readonly parts: Parts;
  /** One or two axes; a signal has one row. */
  readonly windows: readonly AxisWindow[];
  readonly rows: AxisWindow;
  readonly columns: AxisWindow;
}

const oneRow: AxisWindow = { size: 1, places: 1, kernel: 1, stride: 1, dilation: 1, before: 0, after: 0 };

/** An element of a window: where it lies in the plane, and among the elements of its filter. */
interface Inside {
  readonly row: number;
  readonly column: number;
  readonly tap: number;
  readonly isPad: boolean;
}

/** The window of an output's element. */
function windowAt({ rows, columns, y }: Geometry, stop: number) {
  const index = indexOf(stop, y.dims);
  const [placeRow, placeColumn] =
    index.length === 3 ? [0, index[2] as number] : [index[2] as number, index[3] as number];
  const inside = insideOf(rows, placeRow).flatMap((row, i) =>
    insideOf(columns, placeColumn).map((column, j): Inside => {
      const isPad = row < 0 || column < 0 || row >= rows.size || column >= columns.size;
      return { row, column, tap: i * columns.kernel + j, isPad };
    }),
  );
  return { sample: index[0] as number, channel: index[1] as number, placeRow, placeColumn, inside };
}

function group({ w, y, subject }: Geometry, channel: number): { first: number; count: number } {
  const count = w?.dims[1] ?? 1;
  const filters = (y.dims[1] as number) / subject.attributes.integer('group', 1);
  return { first: w ? Math.floor(channel / filters) * count : channel, count };
}

/** The position of an element of a plane of the input. */
function inputAt({ x, columns }: Geometry, sample: number, channel: number, { row, column }: Inside): number {
  const plane = (sample * (x.dims[1] as number) + channel) * product(x.dims.slice(2));
  return plane + row * columns.size + column;
}

const zeroOf = (call: CallReport, input: number | undefined, at: number): number => {
  const zeros = input === undefined ? [] : numbersOf(call.inputs[input]);
  return zeros[zeros.length > 1 ? at : 0] ?? 0;
};

const lessZero = (text: string, zero: number): string =>
  zero === 0 ? factor(text) : `(${short(text)} − ${factor(zero)})`;

function written(terms: readonly string[], between: string): string {
  const shown = terms.slice(0, mostTerms).join(between);
  return terms.length > mostTerms ? `${shown}${between}…` : shown;
}

/** The sum of products of a convolution, in full. */
function sumText(geometry: Geometry, stop: number): string {
  const { subject, x, w, y, parts } = geometry;
  const { call, language } = subject;
  const { sample, channel, inside } = windowAt(geometry, stop);
  const { first, count } = group(geometry, channel);
  const xZero = zeroOf(call, parts.xZero, 0);
  const wZero = zeroOf(call, parts.wZero, channel);
  const [xs, ws] = [textsOf(x), textsOf(w)];
  const terms = countTo(count).flatMap((c) =>
    inside.map((one) => {
      const tap = (channel * count + c) * geometry.rows.kernel * geometry.columns.kernel + one.tap;
      const value = one.isPad ? String(xZero) : (xs[inputAt(geometry, sample, first + c, one)] ?? '');
      return `${lessZero(value, xZero)} × ${lessZero(ws[tap] ?? '', wZero)}`;
    }),
  );
  const bias = parts.bias === undefined ? undefined : textsOf(call.inputs[parts.bias])[channel];
  const sum = written(terms, ' + ') + (bias === undefined ? '' : ` + ${factor(bias)}`);
  const result = textsOf(y)[stop] ?? '';
  if (call.operator !== 'QLinearConv') return `${sum} = ${result}`;
  return `(${sum}) ${pictureTexts[language].requantised} ${result}`;
}

/** The result of a pool, with the elements of its window. */
function poolText(geometry: Geometry, stop: number): string {
  const { subject, x, y, windows } = geometry;
  const { operator } = subject.call;
  const { sample, channel, inside } = windowAt(geometry, stop);
  const texts = inside
    .filter(({ isPad }) => !isPad)
    .map((one) => short(textsOf(x)[inputAt(geometry, sample, channel, one)] ?? ''));
  const result = textsOf(y)[stop] ?? '';
  if (operator.includes('Max')) return `max(${written(texts, ', ')}) = ${result}`;
  if (operator.includes('Lp')) {
    const p = subject.attributes.integer('p', 2);
    return `(${written(
      texts.map((text) => `|${text}|^${p}`),
      ' + ',
    )})^(1/${p}) = ${result}`;
  }
  const [rows, columns] =
    windows.length === 1 ? [oneRow, windows[0] as AxisWindow] : (windows as [AxisWindow, AxisWindow]);
  const isCounted = (at: number, { size, before, after }: AxisWindow): boolean => at >= -before && at < size + after;
  const withPads = inside.filter(({ row, column }) => isCounted(row, rows) && isCounted(column, columns)).length;
  const count = subject.attributes.integer('count_include_pad', 0) === 1 ? withPads : texts.length;
  return `(${written(texts.map(factor), ' + ')}) ÷ ${count} = ${result}`;
}

/** The elements of the window that a maximum comes from. */
function isBest(geometry: Geometry, stop: number, position: number): boolean {
  const { x, y, subject } = geometry;
  return subject.call.operator.includes('Max') && numbersOf(x)[position] === numbersOf(y)[stop];
}

function inputBoard(geometry: Geometry, { stop, chosen }: Moment): Board {
  const { x, rows, columns, parts } = geometry;
  const { sample, channel, placeRow, placeColumn, inside } = windowAt(geometry, stop);
  const { first } = group(geometry, channel);
  const shown = first + (geometry.w ? chosen('channel') : 0);
  const lit = inside.map((one): Mark => {
    const position = inputAt(geometry, sample, shown, one);
    const kind = !one.isPad && isBest(geometry, stop, position) ? 'best' : 'lit';
    return { row: one.row, column: one.column, kind };
  });
  const frame: Mark = {
    ...{ row: placeRow * rows.stride - rows.before, column: placeColumn * columns.stride - columns.before },
    ...{ rows: reachOf(rows), columns: reachOf(columns), kind: 'window' },
  };
  const from = (sample * (x.dims[1] as number) + shown) * rows.size * columns.size;
  return {
    ...{ rows: rows.size, columns: columns.size, texts: textsOf(x), from, name: `i${parts.x}` },
    pads: [rows.before, columns.before, drawnAfter(rows), drawnAfter(columns)],
    marks: [...lit, frame],
  };
}

function draw(geometry: Geometry, moment: Moment): TemplateResult {
  const { subject, x, w, y, rows, columns, parts } = geometry;
  const t = pictureTexts[subject.language];
  const { stop, chosen } = moment;
  const { sample, channel, placeRow, placeColumn } = windowAt(geometry, stop);
  const caption = (report: TensorReport, ...index: number[]) => planeCaption(report, index);
  const { first, count } = group(geometry, channel);
  const shown = w ? chosen('channel') : 0;
  const kernel = rows.kernel * columns.kernel;
  const filter: Board | undefined = w && {
    ...{ rows: rows.kernel, columns: columns.kernel, texts: textsOf(w), name: `i${parts.w}` },
    from: (channel * count + shown) * kernel,
  };
  const output: Board = {
    ...{ rows: rows.places, columns: columns.places, texts: textsOf(y), name: 'o0' },
    from: (sample * (y.dims[1] as number) + channel) * rows.places * columns.places,
    marks: [{ row: placeRow, column: placeColumn, kind: 'chosen' }],
  };
  return html`${boardFigure(caption(x, sample, first + shown), inputBoard(geometry, moment))}
    ${filter && w ? html`${behind('∗', boardFigure(caption(w, channel, shown), filter))}` : nothing}
    ${behind(w ? '=' : '→', boardFigure(caption(y, sample, channel), output))}
    ${rows.before + columns.before + drawnAfter(rows) + drawnAfter(columns) > 0 ? html`<p class="pic-note">${t.padding}</p>` : nothing}`;
}

/** The call with a photograph in the place of its input, as the module makes it; undefined for signals, and many channels. */
async function onPhotograph({ call, attributes, compute }: Subject, parts: Parts): Promise<Photograph | undefined> {
  const x = call.inputs[parts.x];
  const channels = x?.dims[1] ?? 0;
  if (x?.dims.length !== 4 || channels > 3) return undefined;
  const { rows, columns, levels } = photograph;
  const isByte = x.type === 'uint8';
  if (!isByte && !typeRow(x.type).kind.includes('float')) return undefined;
  const grey = levels().map((level) => (isByte ? level : Number((level / 255).toPrecision(3))));
  const given = tensorDraft(
    x.type,
    [1, channels, rows, columns],
    countTo(channels).flatMap(() => grey),
  );
  const { draft } = attributes;
  const outputs = await compute({ ...draft, inputs: draft.inputs.with(parts.x, given) });
  const made = outputs?.[0];
  return made?.dims.length === 4 && product(made.dims.slice(2)) > 1
    ? { before: grey.map(String), after: made }
    : undefined;
}

interface Photograph {
  readonly before: readonly string[];
  readonly after: ComputedTensor;
}

/** The side of an element of a photograph. */
const pixel = 4;

/** The photograph before and after: the channel of the chosen element. */
function photographView({ language }: Subject, { before, after }: Photograph, channel: number): TemplateResult {
  const t = pictureTexts[language];
  const [, , rows, columns] = after.dims as [number, number, number, number];
  const plane = rows * columns;
  const shown = after.text.slice(channel * plane, (channel + 1) * plane);
  const { rows: tall, columns: wide } = photograph;
  return html`<div class="pic-row">
    ${boardFigure(t.photograph, { rows: tall, columns: wide, texts: before, pixel })}
    ${behind('→', boardFigure(t.photographAfter, { rows, columns, texts: shown, pixel }))}
  </div>`;
}

export const drawing: Drawing = async (subject) => {
  const { call, attributes, language } = subject;
  const parts = partsOf[call.operator] ?? { x: 0 };
  const [x, y] = [call.inputs[parts.x], call.outputs[0]];
  const w = parts.w === undefined ? undefined : call.inputs[parts.w];
  if (!isKnown(x) || !isKnown(y) || (w !== undefined && !isKnown(w))) return undefined;
  const windows = windowsOf(call, attributes, x, y, w?.dims.slice(2));
  if (windows === undefined || windows.length === 0 || windows.length > 2) return undefined;
  const [rows, columns] =
    windows.length === 1 ? [oneRow, windows[0] as AxisWindow] : (windows as [AxisWindow, AxisWindow]);
  const photo = await onPhotograph(subject, parts);
  const geometry: Geometry = { subject, x, y, w, parts, windows, rows, columns };
  return {
    ...elementStops(y),
    choices: [{ name: 'channel', label: pictureTexts[language].channel, count: w?.dims[1] ?? 1 }],
    draw: (moment) => draw(geometry, moment),
    more: ({ stop }) => {
      const channel = indexOf(stop, y.dims)[1] as number;
      return photo && guard([channel, photo, language], () => photographView(subject, photo, channel));
    },
    describe: ({ stop }) => (w ? sumText(geometry, stop) : poolText(geometry, stop)),
  };
};
