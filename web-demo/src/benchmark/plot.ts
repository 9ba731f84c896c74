// GB/s against the size of the output, by uPlot.
import uPlot from 'uplot';
import { looks } from './looks.js';
import { contestants, numberText, type Row, sizeText, speedOf } from './results.js';

export interface PlotTexts {
  readonly size: string;
  readonly speed: string;
  /** Stands at the limit line. */
  readonly limit: string;
}

/** The current data of a plot. */
export interface Inks {
  readonly ink: string;
  readonly line: string;
  readonly fontFamily: string;
  /** A custom property's colour. */
  readonly colour: (property: string) => string;
}

// CSS pixels
const height = 280;
const fontSize = 12;

function dataOf(rows: readonly Row[]): uPlot.AlignedData {
  const speeds = contestants.map((name) => rows.map((row) => speedOf(row, name) ?? null));
  return [rows.map(({ item }) => item.size), ...speeds];
}

/** Draws the marks of a line's points. */
function drawMarks(plot: uPlot, index: number, colour: (property: string) => string): void {
  const name = contestants[index - 1];
  if (name === undefined) return;
  const mark = new Path2D(looks[name].mark);
  const { ctx } = plot;
  ctx.fillStyle = colour(looks[name].colour);
  for (const [i, size] of plot.data[0].entries()) {
    const speed = plot.data[index]?.[i];
    if (speed == null) continue;
    ctx.save();
    ctx.translate(plot.valToPos(size, 'x', true), plot.valToPos(speed, 'y', true));
    ctx.scale(devicePixelRatio, devicePixelRatio);
    ctx.fill(mark);
    ctx.restore();
  }
}

/** Writes beside the limit line what it is: above its highest point, within the chart. */
function labelLimit(plot: uPlot, text: string, { colour, fontFamily }: Inks): void {
  const speeds = plot.data[1 + contestants.indexOf('limit')] as number[];
  const highest = Math.max(...speeds);
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.font = `${fontSize * devicePixelRatio}px ${fontFamily}`;
  ctx.fillStyle = colour(looks.limit.colour);
  ctx.textBaseline = 'bottom';
  ctx.textAlign = 'center';
  const room = ctx.measureText(text).width / 2;
  const x = plot.valToPos(plot.data[0][speeds.indexOf(highest)] as number, 'x', true);
  const y = plot.valToPos(highest, 'y', true) - 5 * devicePixelRatio;
  ctx.fillText(text, Math.min(Math.max(x, bbox.left + room), bbox.left + bbox.width - room), y);
  ctx.restore();
}

/** The sizes that get a label: all where there is room, else every second or third. */
function labelledSizes(plot: uPlot, sizes: readonly number[]): (string | null)[] {
  const each = Math.ceil((sizes.length * 62) / (plot.bbox.width / devicePixelRatio));
  return sizes.map((size, i) => (i % each === 0 ? sizeText(size) : null));
}

/** The powers of ten of a logarithmic axis, without the lines between two of them. */
function powersOfTen(least: number, most: number): number[] {
  const first = Math.ceil(Math.log10(least));
  return Array.from({ length: Math.floor(Math.log10(most)) - first + 1 }, (_, i) => 10 ** (first + i));
}

/** Draws a plot into `parent`. `point` is called with the row that the pointer is nearest to, or none. */
export function drawPlot(
  parent: HTMLElement,
  rows: readonly Row[],
  texts: PlotTexts,
  inks: Inks,
  isLogarithmic: boolean,
  point: (row: Row | undefined) => void,
): uPlot {
  const { ink, line, fontFamily, colour } = inks;
  const font = `${fontSize}px ${fontFamily}`;
  const axis: uPlot.Axis = {
    stroke: ink,
    font,
    labelFont: font,
    labelSize: 20,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
  };
  const options: uPlot.Options = {
    width: parent.clientWidth,
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
    scales: {
      x: { time: false, distr: 3, log: 2, range: (_, least, most) => [least / 1.5, most * 1.5] },
      y: isLogarithmic ? { distr: 3 } : { range: (_, __, most) => [0, most * 1.15] },
    },
    axes: [
      {
        ...axis,
        label: texts.size,
        size: 34,
        splits: () => rows.map(({ item }) => item.size),
        filter: (_, sizes) => sizes, // all, not powers of ten alone
        values: (plot, sizes) => labelledSizes(plot, sizes),
      },
      {
        ...axis,
        label: texts.speed,
        size: 44,
        ...(isLogarithmic && { splits: (_, __, least, most) => powersOfTen(least, most) }),
        values: (_, speeds) => speeds.map((speed) => String(Number(speed.toPrecision(3)))),
      },
    ],
    series: [
      {},
      ...contestants.map((name) => ({
        stroke: colour(looks[name].colour),
        width: 2,
        dash: [...looks[name].dash],
        points: { show: false },
      })),
    ],
    hooks: {
      drawSeries: [(plot, index) => drawMarks(plot, index, colour)],
      draw: [(plot) => labelLimit(plot, texts.limit, inks)],
      setCursor: [({ cursor }) => point(rows[cursor.idx ?? -1])],
    },
  };
  return new uPlot(options, dataOf(rows), parent);
}

/** A row in words: the size, and the speed of everybody who has one. */
export function rowText(row: Row, names: { readonly [name: string]: string }): string {
  const speeds = contestants.flatMap((name) => {
    const speed = speedOf(row, name);
    return speed === undefined ? [] : [`${names[name]} ${numberText(speed)}`];
  });
  return `${sizeText(row.item.size)}: ${speeds.join(' · ')} GB/s`;
}
