// <pixel-picture>: the pixels of a picture, and <sound-wave>: the samples of a sound, each on a canvas.
import { html, render } from 'lit-html';
import { define, LocalElement } from '../views/local-element.js';
import type { Envelope, Pixels } from './protocol.js';

export interface PictureGiven {
  readonly pixels: Pixels;
  readonly label: string;
}

/** Draws pixels into a canvas of their size. */
export function drawPixels(canvas: HTMLCanvasElement, { data, width, height }: Pixels): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.getContext('2d')?.putImageData(new ImageData(data, width, height), 0, 0);
}

class PixelPicture extends LocalElement<PictureGiven> {
  protected receive({ pixels, label }: PictureGiven, before: PictureGiven | undefined): void {
    render(html`<canvas role="img" aria-label=${label}></canvas>`, this);
    const canvas = this.querySelector('canvas');
    if (canvas !== null && pixels !== before?.pixels) drawPixels(canvas, pixels);
  }
}

define('pixel-picture', PixelPicture);

export interface WaveGiven {
  readonly envelope: Envelope;
  readonly label: string;
}

const height = 96;

class SoundWave extends LocalElement<WaveGiven> {
  protected receive({ envelope, label }: WaveGiven): void {
    render(html`<canvas role="img" aria-label=${label}></canvas>`, this);
    const canvas = this.querySelector('canvas');
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return;
    const points = envelope.length / 2;
    Object.assign(canvas, { width: points, height });
    // One colour for light and dark pages: canvases are not drawn again when the colours change.
    context.fillStyle = '#6b71e8';
    for (let x = 0; x < points; x++) {
      const least = Math.max(-1, envelope[2 * x] as number);
      const greatest = Math.min(1, envelope[2 * x + 1] as number);
      const top = ((1 - greatest) * height) / 2;
      context.fillRect(x, top, 1, Math.max(1, ((greatest - least) * height) / 2));
    }
  }
}

define('sound-wave', SoundWave);
