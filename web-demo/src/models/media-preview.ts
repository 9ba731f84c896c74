// <media-preview>: the picture or the samples that an input gets.
import { html, nothing, render } from 'lit-html';
import type { PictureValues, SoundValues } from '../drafts.js';
import { mediaTexts } from '../texts/media.js';
import type { Language } from '../texts/texts.js';
import { parseIntegers } from '../values/parse.js';
import { bitmapOf, drawPicture } from '../values/picture-elements.js';
import { planeOf } from '../values/plane.js';
import { elementsOfSamples, samplesOf } from '../values/sound-elements.js';
import { define, LocalElement } from '../views/local-element.js';
import './media-preview.css';

export interface PreviewGiven {
  readonly values: PictureValues | SoundValues;
  readonly dims: string;
  readonly language: Language;
}

/** The most points of a canvas along an axis. */
const mostPoints = 512;

/** The line of samples: for each column of points the least and the greatest. */
function drawSamples(canvas: HTMLCanvasElement, samples: Float32Array): void {
  const [width, height] = [mostPoints, 64];
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.fillStyle = getComputedStyle(canvas).color;
  for (let x = 0; x < width; x++) {
    const from = Math.floor((x * samples.length) / width);
    const part = samples.subarray(from, Math.max(from + 1, Math.floor(((x + 1) * samples.length) / width)));
    const [least, greatest] = [Math.min(...part.subarray(0, 4096)), Math.max(...part.subarray(0, 4096))];
    const y = ((1 - Math.min(1, greatest)) * height) / 2;
    context.fillRect(x, y, 1, Math.max(1, ((Math.min(1, greatest) - Math.max(-1, least)) * height) / 2));
  }
}

class MediaPreview extends LocalElement<PreviewGiven> {
  #asked = Symbol();

  protected receive({ values }: PreviewGiven): void {
    const isShown = values.file !== undefined;
    const canvas = html`<canvas class="media-${values.kind}" aria-hidden="true"></canvas>`;
    render(isShown ? html`${canvas}<p class="muted" role="status"></p>` : nothing, this);
    if (isShown) void this.#draw();
  }

  async #draw(): Promise<void> {
    const { values, dims, language } = this.given as PreviewGiven;
    const mark = Symbol();
    this.#asked = mark;
    let text = '';
    try {
      const sizes = parseIntegers(dims).map(Number);
      text = await (values.kind === 'picture' ? this.#picture(values, sizes) : this.#sound(values, sizes, language));
    } catch {} // a run says what is wrong
    const [line, canvas] = [this.querySelector('p'), this.querySelector('canvas')];
    if (this.#asked !== mark || line === null || canvas === null) return;
    line.textContent = text;
    canvas.hidden = text === ''; // it may have the picture of other fields
  }

  async #picture(values: PictureValues, dims: readonly number[]): Promise<string> {
    const { file, layout, fit } = values;
    const plane = planeOf(layout, dims);
    if (file === undefined || plane === undefined) return '';
    const bitmap = await bitmapOf(file);
    const canvas = this.querySelector('canvas');
    const { width, height } = plane;
    const text = `${bitmap.width} × ${bitmap.height} → ${width} × ${height}`;
    const pixels = drawPicture(bitmap, plane, fit);
    bitmap.close();
    if (values !== this.given?.values || canvas === null) return '';
    Object.assign(canvas, { width, height });
    canvas.getContext('2d')?.putImageData(pixels, 0, 0);
    return text;
  }

  async #sound(values: SoundValues, dims: readonly number[], language: Language): Promise<string> {
    const { file, rate, start } = values;
    const length = dims.at(-1);
    if (file === undefined || length === undefined) return '';
    const samples = await samplesOf(file, rate);
    const canvas = this.querySelector('canvas');
    if (values !== this.given?.values || canvas === null) return '';
    drawSamples(canvas, elementsOfSamples(samples, values, [length]));
    const rest = Math.max(0, samples.length - Math.round(start * rate));
    return mediaTexts[language].samples(length / rate, samples.length / rate, Math.max(0, length - rest));
  }
}

define('media-preview', MediaPreview);
