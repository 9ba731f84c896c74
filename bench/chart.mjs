// The chart of the README: GB/s against the size of the output, a line per pattern, and the limit.
import * as vega from 'vega';
import { compile } from 'vega-lite';
import { geometricMean, median } from './statistics.mjs';

const gbPerSecond = (bytes, nanoseconds) => bytes / nanoseconds;
const limitName = 'memory.fill (limit)';
const colours = {
  [limitName]: '#111111',
  fill: '#4269d0',
  leading: '#d98c00',
  trailing: '#e0483b',
  middle: '#2a9d8f',
  interleaved: '#3c8f3c',
  'tiny axes': '#b565c9',
  odd: '#8b6b52',
};

/** The nominal size of a case: odd shapes are a little larger. */
const nominalSize = (bytes) => 4 ** Math.floor(Math.log(bytes * 1.0001) / Math.log(4));

/** Points { series, bytes, speed }: the geometric mean over the cases of a pattern and size. */
function points(rows) {
  const float32 = rows.filter(({ charted }) => charted);
  const groups = new Map();
  for (const row of float32) {
    const key = `${row.pattern}/${nominalSize(row.bytes)}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const series = [...groups].map(([key, members]) => ({
    series: key.split('/')[0],
    bytes: geometricMean(members.map(({ bytes }) => bytes)),
    speed: geometricMean(members.map(({ bytes, time }) => gbPerSecond(bytes, time))),
  }));
  const sizes = [...new Set(float32.map(({ bytes }) => nominalSize(bytes)))];
  const limit = sizes.map((size) => {
    const members = float32.filter(({ bytes }) => nominalSize(bytes) === size);
    return {
      series: limitName,
      bytes: geometricMean(members.map(({ bytes }) => bytes)),
      speed: median(members.map(({ bytes, limitTime }) => gbPerSecond(bytes, limitTime))),
    };
  });
  return [...limit, ...series];
}

function specification(values, machine) {
  const domain = Object.keys(colours).filter((name) => values.some(({ series }) => series === name));
  const sizeLabel =
    "datum.value >= 1048576 ? datum.value / 1048576 + ' MiB' : datum.value >= 1024 ? datum.value / 1024 + ' KiB' : datum.value + ' B'";
  const isLimit = { test: `datum.series === '${limitName}'` };
  return {
    width: 720,
    height: 400,
    background: 'white',
    padding: 16,
    data: { values },
    title: {
      text: 'Broadloom: float32 output written per second',
      subtitle: `Expand and ConstantOfShape with data read and dispose(), one core of ${machine.processor}, Node ${machine.node}`,
      anchor: 'start',
      fontSize: 15,
      subtitleFontSize: 11,
      offset: 12,
    },
    mark: { type: 'line', point: { size: 28 } },
    encoding: {
      x: {
        field: 'bytes',
        type: 'quantitative',
        title: 'size of the output',
        scale: { type: 'log', base: 4, nice: false, padding: 8 },
        axis: {
          values: [128, 1024, 4096, 16384, 65536, 262144, 2 ** 20, 2 ** 22, 2 ** 24, 2 ** 26],
          labelExpr: sizeLabel,
        },
      },
      y: { field: 'speed', type: 'quantitative', title: 'GB/s', axis: { tickCount: 8 } },
      color: {
        field: 'series',
        type: 'nominal',
        title: 'pattern',
        scale: { domain, range: domain.map((name) => colours[name]) },
      },
      strokeDash: { condition: { ...isLimit, value: [6, 4] }, value: [1, 0] },
      strokeWidth: { condition: { ...isLimit, value: 3 }, value: 2 },
    },
    config: {
      font: 'system-ui, sans-serif',
      axis: { labelFontSize: 11, titleFontSize: 12 },
      legend: { labelFontSize: 12, labelLimit: 0, symbolType: 'stroke', symbolStrokeWidth: 3 },
    },
  };
}

/** @returns the SVG, with a white background, so that it is legible on dark pages */
export async function drawChart(rows, machine) {
  const { spec } = compile(specification(points(rows), machine));
  const view = new vega.View(vega.parse(spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return `${svg}\n`;
}
