// RoiAlign: the region over the input, its bins, and the points that are sampled in the bin of an element.
import { html, svg, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import { pictureTexts } from '../texts/pictures.js';
import { indexOf } from '../views/mapping.js';
import { extentOf } from './board.js';
import { behind, boardFigure, planeCaption } from './parts.js';
import { type Drawing, elementStops } from './plan.js';
import { dot } from './plot.js';
import { countTo, isKnown, numbersOf, textsOf } from './values.js';

export const drawing: Drawing = ({ call, attributes, language }) => {
  const t = pictureTexts[language];
  const [x, rois, batches] = call.inputs;
  const y = call.outputs[0];
  if (!isKnown(x) || !isKnown(rois) || !isKnown(batches) || !isKnown(y) || y.dims.length !== 4) return undefined;
  const [, channels, height, width] = x.dims as [number, number, number, number];
  const [, , tall, wide] = y.dims as [number, number, number, number];
  const scale = attributes.number('spatial_scale', 1);
  const isHalf = attributes.word('coordinate_transformation_mode') === 'half_pixel';
  const ratio = attributes.integer('sampling_ratio', 0);
  /** The corner and the size of a bin, in elements: 0 is the middle of the first one. */
  const binsOf = (roi: number) => {
    const [x1, y1, x2, y2] = countTo(4).map(
      (i) => (numbersOf(rois)[4 * roi + i] as number) * scale - (isHalf ? 0.5 : 0),
    ) as [number, number, number, number];
    // Regions without an area have one element, unless they are shifted by half of one.
    const [across, down] = [isHalf ? x2 - x1 : Math.max(1, x2 - x1), isHalf ? y2 - y1 : Math.max(1, y2 - y1)];
    return { left: x1, top: y1, binWidth: across / wide, binHeight: down / tall };
  };
  const side = Math.max(height, width) <= 8 ? Math.min(84, Math.floor(400 / Math.max(height, width))) : undefined;
  const draw = (stop: number): TemplateResult => {
    const [roi, channel, row, column] = indexOf(stop, y.dims) as [number, number, number, number];
    const sample = numbersOf(batches)[roi] as number;
    const { left, top, binWidth, binHeight } = binsOf(roi);
    const from = (sample * channels + channel) * height * width;
    const board = { rows: height, columns: width, texts: textsOf(x), from, name: 'i0', side };
    const unit = extentOf(board).width / width;
    const unitDown = extentOf(board).height / height;
    const [px, py] = [(at: number): number => (at + 0.5) * unit, (at: number): number => (at + 0.5) * unitDown];
    const bins = countTo(tall * wide).map((i) => {
      const [r, c] = [Math.floor(i / wide), i % wide];
      const name = r === row && c === column ? 'pic-mark pic-chosen' : 'pic-bin';
      const place = `o0:${stop - (stop % (tall * wide)) + i}`;
      return svg`<rect class=${name} data-place=${place} x=${px(left + c * binWidth)} y=${py(top + r * binHeight)} width=${binWidth * unit} height=${binHeight * unitDown} />`;
    });
    const [down, across] = [ratio > 0 ? ratio : Math.ceil(binHeight), ratio > 0 ? ratio : Math.ceil(binWidth)];
    const points = countTo(down * across).map((i) => {
      const [r, c] = [Math.floor(i / across), i % across];
      const at = { x: left + (column + (c + 0.5) / across) * binWidth, y: top + (row + (r + 0.5) / down) * binHeight };
      return dot('pic-point', px(at.x), py(at.y), Math.min(6, unit / 4));
    });
    return html`${boardFigure(planeCaption(x, [sample, channel]), board, svg`${bins}${points}`)}
    ${behind(
      '→',
      boardFigure(planeCaption(y, [roi, channel]), {
        ...{ rows: tall, columns: wide, texts: textsOf(y), from: stop - (stop % (tall * wide)), name: 'o0' },
        marks: [{ row, column, kind: 'chosen' }],
      }),
    )}`;
  };
  return {
    ...elementStops(y),
    draw: ({ stop }) => draw(stop),
    describe: ({ stop }) => {
      const [roi, , row, column] = indexOf(stop, y.dims) as [number, number, number, number];
      const place = `${visible(y.name)}[${indexOf(stop, y.dims).join(', ')}]`;
      return t.region(roi, row, column, attributes.word('mode') === 'max', `${place} = ${textsOf(y)[stop]}`);
    },
  };
};
