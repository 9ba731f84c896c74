// STFT: the signal with the frame that is transformed, and the spectrum of each frame as a column.
import { html, svg, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import { pictureTexts } from '../texts/pictures.js';
import { indexOf } from '../views/mapping.js';
import { figure, words } from './parts.js';
import type { Plan, Subject } from './plan.js';
import { plot, polyline, scaleOf } from './plot.js';
import { complex, countTo, isKnown, numbersOf, short } from './values.js';

const most = 1024;

export function spectrogramPlan({ call, language }: Subject): Plan | undefined {
  const [x, step, window, frameLength] = call.inputs;
  const y = call.outputs[0];
  if (!isKnown(x) || !isKnown(y) || y.dims.length !== 4) return undefined;
  const t = pictureTexts[language];
  const count = x.dims[1] as number;
  const [, frames, bins] = y.dims as [number, number, number, number];
  if (count > most || frames * bins > 2048) return undefined;
  const hop = numbersOf(step)[0] as number;
  const length = window ? (window.dims[0] as number) : (numbersOf(frameLength)[0] as number);
  const values = numbersOf(y);
  const per = (x.dims[2] ?? 1) as number;
  const sizeAt = (place: number): number => Math.hypot(values[2 * place] as number, values[2 * place + 1] as number);
  const greatest = Math.max(...countTo(y.size / 2).map(sizeAt)) || 1;
  const draw = (stop: number): TemplateResult => {
    const [sample, frame, bin] = indexOf(2 * stop, y.dims) as [number, number, number];
    const wave = countTo(count).map((i) => numbersOf(x)[(sample * count + i) * per] as number);
    const [from, to] = [frame * hop, frame * hop + length - 1];
    const shape = window ? numbersOf(window) : countTo(length).map(() => 1);
    const up = scaleOf([0, ...wave, ...shape]);
    const [width, height] = [Math.max(6, Math.min(46, 400 / frames)), Math.max(4, Math.min(32, 220 / bins))];
    const left = 34;
    return html`${plot(
      html`<code>${visible(x.name)}</code> ${t.frame(frame)}`,
      { across: { from: -0.5, to: count - 0.5 }, up, width: 420, height: 150, names: [t.sample, ''], isWhole: true },
      ({
        x: px,
        y: py,
      }) => svg`<rect class="pic-band" x=${px(from - 0.5)} y=${py(up.to)} width=${px(to + 0.5) - px(from - 0.5)} height=${py(up.from) - py(up.to)} />
        <path class="pic-level pic-part" d=${polyline(shape.map((value, i) => [px(from + i), py(value)]))} />
        <path class="pic-curve" d=${polyline(wave.map((value, i) => [px(i), py(value)]))} />`,
    )}
    ${figure(
      html`<code>${visible(y.name)}</code> ${t.spectrogram}`,
      left + frames * width,
      bins * height + 24,
      svg`${countTo(frames * bins).map((i) => {
        const [column, row] = [Math.floor(i / bins), i % bins];
        const place = (sample * frames + column) * bins + row;
        return svg`<g data-place=${`o0:${2 * place}`}>
          <rect class="pic-cell" x=${left + column * width} y=${(bins - 1 - row) * height} width=${width} height=${height} />
          <rect class="pic-heat" x=${left + column * width} y=${(bins - 1 - row) * height} width=${width} height=${height} fill-opacity=${(sizeAt(place) / greatest).toFixed(3)} /></g>`;
      })}
      <rect class="pic-mark pic-window" x=${left + frame * width} y="0" width=${width} height=${bins * height} />
      <rect class="pic-mark pic-window" x=${left + frame * width} y=${(bins - 1 - bin) * height} width=${width} height=${height} />
      ${[0, bins - 1].map((row) => words('pic-label pic-end', left - 6, (bins - 0.5 - row) * height + 4, row))}
      ${words('pic-label', left, bins * height + 16, t.time)}`,
    )}`;
  };
  return {
    ...{ stops: y.size / 2, row: bins },
    placeOf: (stop) => ({ report: y, position: 2 * stop }),
    stopOf: ({ report, position }) => (report.key === y.key ? Math.floor(position / 2) : undefined),
    draw: ({ stop }) => draw(stop),
    describe: ({ stop }) => {
      const [, frame, bin] = indexOf(2 * stop, y.dims) as [number, number, number];
      const value = complex(values[2 * stop] as number, values[2 * stop + 1] as number);
      return `${t.frame(frame)}, ${t.bin(bin, value, short(sizeAt(stop)))}`;
    },
  };
}
