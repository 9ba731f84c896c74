// ConvTranspose: the elements of the input that reach an element of the output, each through one number of the filter.
import { html, nothing, type TemplateResult } from 'lit-html';
import { pictureTexts } from '../texts/pictures.js';
import { indexOf } from '../views/mapping.js';
import type { Board, Mark } from './board.js';
import { behind, boardFigure, planeCaption } from './parts.js';
import { type Drawing, elementStops, type Subject } from './plan.js';
import { countTo, factor, isKnown, product, textsOf } from './values.js';

const mostTerms = 16;

interface Axis {
  readonly size: number;
  readonly kernel: number;
  readonly places: number;
  readonly stride: number;
  readonly dilation: number;
  readonly before: number;
}

/** An element of the input, and the number of the filter that takes it to an element of the output. */
interface Reach {
  readonly at: number;
  readonly tap: number;
}

const oneRow: Axis = { size: 1, kernel: 1, places: 1, stride: 1, dilation: 1, before: 0 };

function axesOf({ attributes }: Subject, x: readonly number[], w: readonly number[], y: readonly number[]): Axis[] {
  const auto = attributes.word('auto_pad') ?? 'NOTSET';
  return x.slice(2).map((size, axis) => {
    const [kernel, places] = [w[axis + 2] as number, y[axis + 2] as number];
    const stride = attributes.integers('strides')?.[axis] ?? 1;
    const dilation = attributes.integers('dilations')?.[axis] ?? 1;
    const more = attributes.integers('output_padding')?.[axis] ?? 0;
    const total = (size - 1) * stride + more + (kernel - 1) * dilation + 1 - places;
    const isGiven = (auto === 'NOTSET' || auto === '') && !attributes.has('output_shape');
    const less = Math.floor(total / 2);
    const found = auto === 'SAME_UPPER' ? less : total - less;
    const before = isGiven ? (attributes.integers('pads')?.[axis] ?? 0) : auto === 'VALID' ? 0 : found;
    return { size, kernel, places, stride, dilation, before };
  });
}

/** The elements that reach a place of the output along an axis. */
function reaching({ size, kernel, stride, dilation, before }: Axis, place: number): Reach[] {
  return countTo(kernel).flatMap((tap) => {
    const at = (place + before - tap * dilation) / stride;
    return Number.isInteger(at) && at >= 0 && at < size ? [{ at, tap }] : [];
  });
}

export const drawing: Drawing = (subject) => {
  const { call, attributes, language } = subject;
  const [x, w, bias] = call.inputs;
  const y = call.outputs[0];
  if (!isKnown(x) || !isKnown(w) || !isKnown(y) || x.dims.length < 3 || x.dims.length > 4) return undefined;
  const t = pictureTexts[language];
  const axes = axesOf(subject, x.dims, w.dims, y.dims);
  const [rows, columns] = (axes.length === 1 ? [oneRow, ...axes] : axes) as [Axis, Axis];
  const groups = attributes.integer('group', 1);
  const [channels, filters] = [(x.dims[1] as number) / groups, w.dims[1] as number];
  const whereIs = (stop: number) => {
    const index = indexOf(stop, y.dims);
    const [sample, channel] = index as [number, number];
    const [row, column] = (index.length === 3 ? [0, index[2]] : index.slice(2)) as [number, number];
    const reaches = reaching(rows, row).flatMap((down) =>
      reaching(columns, column).map((across) => ({ down, across })),
    );
    return { sample, channel, row, column, reaches, first: Math.floor(channel / filters) * channels };
  };
  const plane = (report: typeof x, from: number): number => from * product(report.dims.slice(2));
  const marks = (places: readonly (readonly [number, number])[], kind: Mark['kind']): Mark[] =>
    places.map(([row, column]) => ({ row, column, kind }));
  const draw = (stop: number, chosen: number): TemplateResult => {
    const { sample, channel, row, column, reaches, first } = whereIs(stop);
    const shown = first + chosen;
    const input: Board = {
      ...{ rows: rows.size, columns: columns.size, texts: textsOf(x), name: 'i0' },
      from: plane(x, sample * (x.dims[1] as number) + shown),
      marks: marks(
        reaches.map(({ down, across }) => [down.at, across.at] as const),
        'best',
      ),
    };
    const filter: Board = {
      ...{ rows: rows.kernel, columns: columns.kernel, texts: textsOf(w), name: 'i1' },
      from: plane(w, shown * filters + (channel % filters)),
      marks: marks(
        reaches.map(({ down, across }) => [down.tap, across.tap] as const),
        'best',
      ),
    };
    const output: Board = {
      ...{ rows: rows.places, columns: columns.places, texts: textsOf(y), name: 'o0' },
      from: plane(y, sample * (y.dims[1] as number) + channel),
      marks: [{ row, column, kind: 'chosen' }],
    };
    return html`${boardFigure(planeCaption(x, [sample, shown]), input)}
    ${behind('∗', boardFigure(planeCaption(w, [shown, channel % filters]), filter))}
    ${behind('→', boardFigure(planeCaption(y, [sample, channel]), output))}
    ${reaches.length === 0 ? html`<p class="pic-note">${t.nothingReaches}</p>` : nothing}`;
  };
  const describe = (stop: number): string => {
    const { sample, channel, reaches, first } = whereIs(stop);
    const terms = countTo(channels).flatMap((c) =>
      reaches.map(({ down, across }) => {
        const from = plane(x, sample * (x.dims[1] as number) + first + c) + down.at * columns.size + across.at;
        const tap = plane(w, (first + c) * filters + (channel % filters)) + down.tap * columns.kernel + across.tap;
        return `${factor(textsOf(x)[from] ?? '')} × ${factor(textsOf(w)[tap] ?? '')}`;
      }),
    );
    const added = bias ? [factor(textsOf(bias)[channel] ?? '')] : [];
    const all = [...terms, ...added];
    const shown = all.length > mostTerms ? `${all.slice(0, mostTerms).join(' + ')} + …` : all.join(' + ');
    return `${shown || '0'} = ${textsOf(y)[stop]}`;
  };
  return {
    ...elementStops(y),
    choices: [{ name: 'channel', label: t.channel, count: channels }],
    draw: ({ stop, chosen }) => draw(stop, chosen('channel')),
    describe: ({ stop }) => describe(stop),
  };
};
