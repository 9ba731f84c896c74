// GridSample and AffineGrid: the points of a grid, over the picture that is sampled, or over the square from -1 to 1.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { TensorReport } from '../runtime/protocol.js';
import { pictureTexts } from '../texts/pictures.js';
import { indexOf } from '../views/mapping.js';
import { behind, boardFigure, planeCaption } from './parts.js';
import { type Drawing, elementStops, type Plan, type Subject } from './plan.js';
import { dot, plot } from './plot.js';
import { neighbours, type Sample, sampledBoard } from './samples.js';
import { countTo, isKnown, numbersOf, positionAt, short, textsOf } from './values.js';

/** Where -1 to 1 lies among elements. */
function elementAt(coordinate: number, size: number, isAligned: boolean): number {
  return isAligned ? ((coordinate + 1) / 2) * (size - 1) : ((coordinate + 1) * size - 1) / 2;
}

function samplePlan({ call, attributes, language }: Subject): Plan | undefined {
  const [x, grid] = call.inputs;
  const y = call.outputs[0];
  if (!isKnown(x) || !isKnown(grid) || !isKnown(y) || x.dims.length !== 4) return undefined;
  const t = pictureTexts[language];
  const [, channels, height, width] = x.dims as [number, number, number, number];
  const [, , tall, wide] = y.dims as [number, number, number, number];
  const isAligned = attributes.integer('align_corners', 0) === 1;
  const mode = attributes.word('mode') ?? 'linear';
  const coordinates = numbersOf(grid);
  const gridAt = (sample: number, place: number): number => (sample * tall * wide + place) * 2;
  const sampleOf = (sample: number, place: number): Sample => ({
    row: elementAt(coordinates[gridAt(sample, place) + 1] as number, height, isAligned),
    column: elementAt(coordinates[gridAt(sample, place)] as number, width, isAligned),
  });
  const draw = (stop: number): TemplateResult => {
    const [sample, channel] = indexOf(stop, y.dims) as [number, number];
    const place = stop % (tall * wide);
    const first = stop - place;
    const isInside = ({ row, column }: Sample): boolean => row >= 0 && column >= 0 && row < height && column < width;
    return html`${sampledBoard({
      board: {
        ...{ rows: height, columns: width, texts: textsOf(x), name: 'i0', pads: [1, 1, 1, 1] },
        from: (sample * channels + channel) * height * width,
      },
      read: neighbours(sampleOf(sample, place), height, width, mode).filter(isInside),
      samples: countTo(tall * wide).map((i) => ({
        ...sampleOf(sample, i),
        place: `o0:${first + i}`,
        isChosen: i === place,
      })),
      caption: planeCaption(x, [sample, channel]),
    })}
    ${behind(
      '→',
      boardFigure(planeCaption(y, [sample, channel]), {
        ...{ rows: tall, columns: wide, texts: textsOf(y), from: first, name: 'o0' },
        marks: [{ row: Math.floor(place / wide), column: place % wide, kind: 'chosen' }],
      }),
    )}`;
  };
  return {
    ...elementStops(y),
    stopOf: ({ report, position }) => {
      if (report.key === y.key) return position;
      if (report.key !== grid.key) return undefined;
      const at = Math.floor(position / 2);
      return positionAt(
        [Math.floor(at / (tall * wide)), 0, 0, at % (tall * wide)],
        [y.dims[0] as number, y.dims[1] as number, 1, tall * wide],
      );
    },
    draw: ({ stop }) => draw(stop),
    describe: ({ stop }) => {
      const [sample] = indexOf(stop, y.dims) as [number];
      const { row, column } = sampleOf(sample, stop % (tall * wide));
      const at = gridAt(sample, stop % (tall * wide));
      const point = `(${textsOf(grid)[at]}, ${textsOf(grid)[at + 1]}) → `;
      return (
        point +
        t.samples(
          `${visible(y.name)}[${indexOf(stop, y.dims).join(', ')}]`,
          short(row),
          short(column),
          textsOf(y)[stop] ?? '',
        )
      );
    },
  };
}

/** The grid of an affine transform: its points over the square. */
function affinePlan({ call }: Subject): Plan | undefined {
  const y: TensorReport | undefined = call.outputs[0];
  if (!isKnown(y) || y.dims.length !== 4 || y.size > 2048) return undefined;
  const [, tall, wide] = y.dims as [number, number, number, number];
  const plane = tall * wide;
  const values = numbersOf(y);
  const reach = Math.max(1.15, ...values.map(Math.abs)) * 1.05;
  const scale = { from: -reach, to: reach };
  const draw = (stop: number): TemplateResult => {
    const first = stop - (stop % plane);
    return plot(
      planeCaption(y, [Math.floor(stop / plane)]),
      { across: scale, up: { from: reach, to: -reach }, width: 300, height: 300, names: ['x', 'y'] },
      ({ x, y: up }) => {
        const points = countTo(plane).map(
          (i) => [values[2 * (first + i)] as number, values[2 * (first + i) + 1] as number] as const,
        );
        const rows = countTo(tall).map((row) => points.slice(row * wide, (row + 1) * wide));
        const [left, top, right, bottom] = [x(-1), up(-1), x(1), up(1)];
        return svg`<rect class="pic-frame" x=${left} y=${top} width=${right - left} height=${bottom - top} />
        ${rows.map((row) => svg`<path class="pic-faint" d=${row.map(([one, other], i) => `${i === 0 ? 'M' : 'L'}${x(one)} ${up(other)}`).join('')} />`)}
        ${points.map(([one, other], i) => (first + i === stop ? nothing : dot('pic-dot', x(one), up(other), 5, `o0:${2 * (first + i)}`)))}
        ${dot('pic-point', x(values[2 * stop] as number), up(values[2 * stop + 1] as number), 8)}`;
      },
    );
  };
  return {
    ...{ stops: y.size / 2, row: wide },
    placeOf: (stop) => ({ report: y, position: 2 * stop }),
    stopOf: ({ report, position }) => (report.key === y.key ? Math.floor(position / 2) : undefined),
    draw: ({ stop }) => draw(stop),
    describe: ({ stop }) => {
      const index = indexOf(2 * stop, y.dims)
        .slice(0, 3)
        .join(', ');
      return `${visible(y.name)}[${index}] = (${textsOf(y)[2 * stop]}, ${textsOf(y)[2 * stop + 1]})`;
    },
  };
}

export const drawing: Drawing = (subject) =>
  subject.call.operator === 'AffineGrid' ? affinePlan(subject) : samplePlan(subject);
