// Resize and Upsample: where each element of the output samples the input, as dots over it.
import { html, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { TensorReport } from '../runtime/protocol.js';
import { pictureTexts } from '../texts/pictures.js';
import { indexOf } from '../views/mapping.js';
import { ramp, tensorDraft } from './compute.js';
import { behind, boardFigure, planeCaption } from './parts.js';
import { type Drawing, elementStops, type Subject } from './plan.js';
import { neighbours, type Sample, sampledBoard } from './samples.js';
import { countTo, isKnown, numbersIn, positionAt, product, short, textsOf } from './values.js';

/** The call with other elements, as a linear one: elements that are coordinates become the coordinates of samples. */
async function coordinates(
  { attributes, compute }: Subject,
  x: TensorReport,
  axis: number,
): Promise<readonly number[]> {
  const { antialias: _, exclude_outside: __, ...given } = attributes.draft.attributes;
  const along = x.dims.length - axis;
  const numbers = countTo(x.size).map((position) => indexOf(position, x.dims)[along] as number);
  const { draft } = attributes;
  const outputs = await compute({
    ...draft,
    inputs: draft.inputs.with(0, tensorDraft('float32', x.dims, numbers)),
    attributes: { ...given, mode: { kind: 'text', text: 'linear' } },
  });
  return numbersIn(outputs?.[0]?.text ?? []);
}

/** Samples beyond the input were read as ones at its edge: those within say where they are, a step after each. */
function beyond(coordinates: readonly number[], y: TensorReport, axis: number, size: number): readonly number[] {
  const along = y.dims.length - axis;
  const own = countTo(y.dims[along] as number).map(
    (at) =>
      coordinates[
        positionAt(
          y.dims.map((_, i) => (i === along ? at : 0)),
          y.dims,
        )
      ] as number,
  );
  const first = own.findIndex((at) => at > 0 && at < size - 1);
  const [one, other] = [own[first], own[first + 1]];
  if (one === undefined || other === undefined || !(other > one && other < size - 1)) return coordinates;
  return countTo(y.size).map(
    (position) => one + ((indexOf(position, y.dims)[along] as number) - first) * (other - one),
  );
}

export const drawing: Drawing = async (subject) => {
  const { call, attributes, language, compute } = subject;
  const t = pictureTexts[language];
  const [x, y] = [call.inputs[0], call.outputs[0]];
  if (!isKnown(x) || !isKnown(y) || x.dims.length < 2) return undefined;
  const mode = attributes.word('mode') ?? 'nearest';
  const { draft } = attributes;
  const [clampedRows, clampedColumns, nearest] = await Promise.all([
    coordinates(subject, x, 2),
    coordinates(subject, x, 1),
    mode === 'nearest' ? compute({ ...draft, inputs: draft.inputs.with(0, ramp('float32', x.dims)) }) : undefined,
  ]);
  const sources = numbersIn(nearest?.[0]?.text ?? []);
  if (clampedRows.length !== y.size || clampedColumns.length !== y.size) return undefined;
  const [height, width] = x.dims.slice(-2) as [number, number];
  const rows = beyond(clampedRows, y, 2, height);
  const columns = beyond(clampedColumns, y, 1, width);
  const [tall, wide] = y.dims.slice(-2) as [number, number];
  const plane = tall * wide;
  const sampleOf = (position: number): Sample => ({
    row: rows[position] as number,
    column: columns[position] as number,
  });
  const readBy = (position: number) => {
    const source = sources[position];
    if (source !== undefined) return [{ row: Math.floor((source % (height * width)) / width), column: source % width }];
    return neighbours(sampleOf(position), height, width, mode);
  };
  const draw = (stop: number): TemplateResult => {
    const first = stop - (stop % plane);
    const outer = indexOf(stop, y.dims).slice(0, -2);
    const own = outer.map((index, axis) => Math.min(index, (x.dims[axis] as number) - 1));
    const from = own.reduce((place, index, axis) => place * (x.dims[axis] as number) + index, 0) * height * width;
    const source = sampledBoard({
      board: { rows: height, columns: width, texts: textsOf(x), from, name: 'i0' },
      read: readBy(stop),
      samples: countTo(plane).map((i) => ({
        ...sampleOf(first + i),
        place: `o0:${first + i}`,
        isChosen: first + i === stop,
      })),
      caption: planeCaption(x, own),
    });
    return html`${source}${behind(
      '→',
      boardFigure(planeCaption(y, outer), {
        ...{ rows: tall, columns: wide, texts: textsOf(y), from: first, name: 'o0' },
        marks: [{ row: Math.floor((stop - first) / wide), column: stop % wide, kind: 'chosen' }],
      }),
    )}`;
  };
  const describe = (stop: number): string => {
    const { row, column } = sampleOf(stop);
    const told = (at: number): string => short(Math.round(at * 1e4) / 1e4); // coordinates are rounded as elements are
    const outer = indexOf(stop, y.dims).join(', ');
    return t.samples(`${visible(y.name)}[${outer}]`, told(row), told(column), textsOf(y)[stop] ?? '');
  };
  return product(y.dims) === 0
    ? undefined
    : { ...elementStops(y), draw: ({ stop }) => draw(stop), describe: ({ stop }) => describe(stop) };
};
