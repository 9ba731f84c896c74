// The pictures and sounds that the page offers before anybody opens a file: two files of the site, and two that it makes itself.
import type { Pixels, Samples } from './protocol.js';

/** By their names; `file` is that of a sample that is fetched. */
export const samples = {
  photograph: { file: 'media/cat.webp' },
  voice: { file: 'media/voice.wav' },
  picture: { file: undefined },
  sound: { file: undefined },
} as const;

export type SampleName = keyof typeof samples;

/** Rings that get finer outwards, bars, and colours: where a resize goes wrong, it shows here. */
export function testPicture(width = 640, height = 480): Pixels {
  const data = new Uint8ClampedArray(4 * width * height);
  const [middleX, middleY] = [width * 0.36, height * 0.5];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      data.set([...colourAt(x, y), 255], 4 * (y * width + x));
    }
  }
  return { data, width, height };

  function colourAt(x: number, y: number): [number, number, number] {
    const distance = (x - middleX) ** 2 + (y - middleY) ** 2;
    if (distance < (height * 0.45) ** 2) {
      const level = 127.5 + 127.5 * Math.cos((Math.PI * distance) / (height * 0.9));
      return [level, level, level];
    }
    const [across, down] = [x / width, y / height];
    if (across > 0.78 && down > 0.55) {
      const isLit = (Math.floor(x / 2) + Math.floor(y / 2)) % 2 === 0;
      return isLit ? [250, 240, 220] : [90, 20, 60];
    }
    if (across > 0.78 && down < 0.45) {
      const bar = Math.floor(x / (1 + Math.floor(6 * down))) % 2;
      return bar === 0 ? [20, 30, 60] : [240, 210, 90];
    }
    return [255 * across, 90 + 120 * down, 255 * (1 - across)];
  }
}

/** Three seconds: a tone that rises from 100 Hz to 7 kHz, and three short beeps over it. */
export function testSound(rate = 48000): Samples {
  const seconds = 3;
  const samples = new Float32Array(rate * seconds);
  const [low, high] = [100, 7000];
  for (let i = 0; i < samples.length; i++) {
    const time = i / rate;
    const growth = Math.log(high / low) / seconds;
    const phase = (2 * Math.PI * low * (Math.exp(growth * time) - 1)) / growth;
    const beep = time % 1 > 0.7 && time % 1 < 0.85 ? 0.25 * Math.sin(2 * Math.PI * 2500 * time) : 0;
    samples[i] = 0.4 * Math.sin(phase) + beep;
  }
  return { channels: [samples], rate };
}
