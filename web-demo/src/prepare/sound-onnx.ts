// A log-mel spectrogram as a graph of ONNX's operators: samples of one channel at the model's rate go in.
import type { LogMelOptions } from 'broadloom';
import { fbankModel } from './fbank-onnx.js';
import { GraphWriter } from './onnx-writer.js';
import type { SoundPresets, SoundSteps } from './options.js';
import { withLength } from './sound-length.js';

/** Reductions have their axes as an input from here on. */
const opset = 18;

/** Slaney's mel scale: linear up to 1000 Hz, logarithmic above. */
const linear = 200 / 3;
const growth = Math.log(6.4) / 27;
const corner = 1000;
const melOf = (hertz: number): number =>
  hertz < corner ? hertz / linear : corner / linear + Math.log(hertz / corner) / growth;
const hertzOf = (mel: number): number =>
  mel < corner / linear ? mel * linear : corner * Math.exp(growth * (mel - corner / linear));

/** Triangles of equal area, as [frequencies, bins]. */
export function melFilters(
  rate: number,
  fftLength: number,
  bins: number,
  [low, high]: readonly [number, number],
): Float32Array {
  const [first, last] = [melOf(low), melOf(high)];
  const edges = Array.from({ length: bins + 2 }, (_, i) => hertzOf(first + ((last - first) * i) / (bins + 1)));
  const frequencies = fftLength / 2 + 1;
  const filters = new Float32Array(frequencies * bins);
  for (let bin = 0; bin < bins; bin++) {
    const [from, top, to] = edges.slice(bin, bin + 3) as [number, number, number];
    for (let i = 0; i < frequencies; i++) {
      const hertz = (i * rate) / fftLength;
      const height = Math.min((hertz - from) / (top - from), (to - hertz) / (to - top));
      filters[i * bins + bin] = (2 / (to - from)) * Math.max(0, height);
    }
  }
  return filters;
}

/** A periodic Hann window in the middle of zeros. */
function hann(length: number, fftLength: number): Float32Array {
  const window = new Float32Array(fftLength);
  const start = Math.floor((fftLength - length) / 2);
  for (let i = 0; i < length; i++) window[start + i] = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / length);
  return window;
}

class SoundGraph extends GraphWriter {
  numbers(...values: number[]): string {
    return this.constant('int64', [values.length], values);
  }
  scalar(value: number): string {
    return this.constant('float32', [], [value]);
  }
  integer(value: number): string {
    return this.constant('int64', [], [value]);
  }
}

/** Powers of frequencies, as [1, frames, frequencies]. */
function powers(graph: SoundGraph, samples: string, options: LogMelOptions): string {
  const { fftLength, hopLength, windowLength = fftLength, center = true, dropLast = false } = options;
  const half = Math.floor(fftLength / 2);
  const whole = center ? graph.node('Pad', [samples, graph.numbers(half, half)], { mode: 'reflect' }) : samples;
  const signal = graph.node('Unsqueeze', [whole, graph.numbers(0, 2)]);
  const window = graph.constant('float32', [fftLength], hann(windowLength, fftLength));
  const inputs = [signal, graph.integer(hopLength), window, graph.integer(fftLength)];
  const frames = graph.node('STFT', inputs, { onesided: 1 });
  const kept = dropLast ? graph.node('Slice', [frames, graph.numbers(0), graph.numbers(-1), graph.numbers(1)]) : frames;
  return graph.node('ReduceSumSquare', [kept, graph.numbers(3)], { keepdims: 0 });
}

/** The logarithm with its limits. */
function logarithm(graph: SoundGraph, mels: string, options: LogMelOptions): string {
  const { log = 'log10', floor = 1e-10, range, offset = 0, scale = 1 } = options;
  const least = graph.node('Max', [mels, graph.scalar(floor)]);
  const unit = (log === 'decibels' ? 10 : 1) / Math.LN10;
  let value = graph.node('Mul', [graph.node('Log', [least]), graph.scalar(unit)]);
  if (range != null) {
    const greatest = graph.node('ReduceMax', [value], { keepdims: 0 });
    value = graph.node('Max', [value, graph.node('Sub', [greatest, graph.scalar(range)])]);
  }
  return graph.node('Mul', [graph.node('Add', [value, graph.scalar(offset)]), graph.scalar(scale)]);
}

/** Whether there is a graph for the features. */
export function hasSoundOnnx({ features, rate }: SoundSteps, presets: SoundPresets): boolean {
  // At higher rates, the weights of filter banks would take too much memory.
  return (features === 'fbank' && rate <= 48000) || Object.hasOwn(presets, features);
}

/** The .onnx file of a preset of `logMel`, or of `fbank`. */
export function soundModel(steps: SoundSteps, presets: SoundPresets): Uint8Array {
  const { features, rate, length } = steps;
  if (features === 'fbank') return fbankModel(steps);
  const options = presets[features] as LogMelOptions;
  const { fftLength, melBins, minFrequency = 0, maxFrequency = rate / 2, sampleScale = 1, framesFirst } = options;
  const graph = new SoundGraph();
  let samples = graph.input('samples', 'float32', ['length']);
  if (length !== undefined) samples = withLength(graph, samples, length);
  if (sampleScale !== 1) samples = graph.node('Mul', [samples, graph.scalar(sampleScale)]);
  const filters = melFilters(rate, fftLength, melBins, [minFrequency, maxFrequency]);
  const matrix = graph.constant('float32', [fftLength / 2 + 1, melBins], filters);
  const mels = graph.node('MatMul', [powers(graph, samples, options), matrix]);
  const frames = graph.node('Squeeze', [logarithm(graph, mels, options), graph.numbers(0)]);
  const result = framesFirst ? frames : graph.node('Transpose', [frames], { perm: [1, 0] });
  graph.output(result, 'features', 'float32', framesFirst ? ['frames', melBins] : [melBins, 'frames']);
  return graph.model('prepare', opset);
}
