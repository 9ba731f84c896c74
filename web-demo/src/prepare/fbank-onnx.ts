// Kaldi's filter banks as a graph of ONNX's operators. All that is done to a frame before its powers is linear (without its mean,
// preemphasis, window, transform), so one Conv does it.
import { GraphWriter } from './onnx-writer.js';
import type { SoundSteps } from './options.js';
import { withLength } from './sound-length.js';

const opset = 18;
const preemphasis = 0.97;
const lowest = 20;
const epsilon = 2 ** -23;

const melOf = (hertz: number): number => 1127.0104848135095 * Math.log1p(hertz / 700);

/** Triangles over mels, as [bins, frequencies]; the frequency at half of the rate has none. */
function melBanks(rate: number, transform: number, bins: number): Float32Array {
  const frequencies = transform / 2;
  const [first, last] = [melOf(lowest), melOf(rate / 2)];
  const step = (last - first) / (bins + 1);
  const banks = new Float32Array(bins * frequencies);
  for (let bin = 0; bin < bins; bin++) {
    const left = first + bin * step;
    for (let i = 0; i < frequencies; i++) {
      const place = (melOf((i * rate) / transform) - left) / step;
      banks[bin * frequencies + i] = Math.max(0, Math.min(place, 2 - place));
    }
  }
  return banks;
}

/** A Hann window to the power 0.85. */
function povey(length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (length - 1))) ** 0.85);
}

/** The numbers by which a frame's samples are multiplied if the samples of the windowed frame are multiplied by `wave`. */
function throughSteps(wave: Float64Array): Float64Array {
  const weights = wave.map((value, i) => value - preemphasis * (wave[i + 1] ?? 0));
  (weights[0] as number) -= preemphasis * (wave[0] as number); // the first sample counts as the one before it
  const mean = weights.reduce((sum, value) => sum + value, 0) / weights.length;
  return weights.map((value) => value - mean);
}

/** Real parts and then imaginary parts, as [2 * frequencies, 1, length]. */
function transformWeights(length: number, transform: number): Float32Array {
  const window = povey(length);
  const frequencies = transform / 2;
  const weights = new Float32Array(2 * frequencies * length);
  for (let i = 0; i < frequencies; i++) {
    const angle = (2 * Math.PI * i) / transform;
    weights.set(throughSteps(window.map((value, j) => value * Math.cos(angle * j))), i * length);
    weights.set(throughSteps(window.map((value, j) => -value * Math.sin(angle * j))), (frequencies + i) * length);
  }
  return weights;
}

/** The .onnx file: samples go in, features [frames, bins] come out. */
export function fbankModel({ rate, bins, length }: SoundSteps): Uint8Array {
  const frame = Math.floor(rate * 0.025);
  const transform = 2 ** Math.ceil(Math.log2(frame));
  const frequencies = transform / 2;
  const graph = new GraphWriter();
  const numbers = (...values: number[]): string => graph.constant('int64', [values.length], values);
  const given = graph.input('samples', 'float32', ['length']);
  const samples = length === undefined ? given : withLength(graph, given, length);
  const signal = graph.node('Unsqueeze', [samples, numbers(0, 1)]);
  const weights = graph.constant('float32', [2 * frequencies, 1, frame], transformWeights(frame, transform));
  const parts = graph.node('Conv', [signal, weights], { strides: [Math.floor(rate * 0.01)] });
  const squares = graph.node('Mul', [parts, parts]);
  const pairs = graph.node('Reshape', [squares, numbers(2, frequencies, -1)]);
  const powers = graph.node('ReduceSum', [pairs, numbers(0)], { keepdims: 0 });
  const banks = graph.constant('float32', [bins, frequencies], melBanks(rate, transform, bins));
  const mels = graph.node('Max', [graph.node('MatMul', [banks, powers]), graph.constant('float32', [], [epsilon])]);
  const features = graph.node('Transpose', [graph.node('Log', [mels])], { perm: [1, 0] });
  graph.output(features, 'features', 'float32', ['frames', bins]);
  return graph.model('prepare', opset);
}
