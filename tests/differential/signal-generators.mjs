// Random calls of windows and Fourier transforms.
import { floats, tensorOf } from './values.mjs';

const onnxNumbers = { float32: 1, uint8: 2, int32: 6, int64: 7, float64: 11 };

const window = (draw) => {
  const { random } = draw;
  return {
    inputs: [draw.scalar(random.integer(2, 40), draw.type())],
    attributes: { periodic: random.integer(0, 1), output_datatype: onnxNumbers[random.pick(['float32', 'float64'])] },
  };
};

/** A length: small, prime, even, or a power of two. */
const lengthOf = (random) => random.pick([1, 2, 3, 5, 8, 11, 12, 16, 17, 24, 30, 32, 37, 60, 64, 100]);

export const signalGenerators = {
  BlackmanWindow: window,
  HammingWindow: window,
  HannWindow: window,
  MelWeightMatrix(draw) {
    const { random } = draw;
    const type = draw.type();
    const rate = random.pick([8000, 16000, 22050]);
    const edge = (value) => tensorOf(random, 'float32', [], () => value);
    return {
      inputs: [
        draw.scalar(random.integer(1, 20), type),
        draw.scalar(random.integer(16, 512), type),
        draw.scalar(rate, type),
        edge(random.integer(0, 400)),
        edge(random.integer(1000, rate / 2)),
      ],
      attributes: { output_datatype: onnxNumbers[random.pick(['float32', 'float64'])] },
    };
  },
  DFT(draw) {
    const { random, since } = draw;
    const dims = random.dims(random.integer(1, 3), 4, 1);
    // The oracle's version 17 has the batch as its first axis.
    const axis = random.integer(Math.min(1, dims.length - 1), dims.length - 1);
    dims[axis] = lengthOf(random);
    const isComplex = random.chance(0.5);
    const isInverse = random.chance(0.3);
    const attributes = { inverse: isInverse ? 1 : 0, onesided: !isComplex && !isInverse && random.chance(0.5) ? 1 : 0 };
    const number = random.chance(0.5) ? axis : axis - dims.length - 1;
    if (since < 20) attributes.axis = number;
    const inputs = [tensorOf(random, draw.type(floats), [...dims, isComplex ? 2 : 1])];
    if (random.chance(0.4)) inputs.push(draw.scalar(lengthOf(random), random.pick(['int32', 'int64'])));
    if (since >= 20) inputs.push(...(inputs.length === 1 ? [null] : []), draw.scalar(number));
    return { inputs, attributes };
  },
  STFT(draw) {
    const { random } = draw;
    const type = draw.type(floats);
    const isComplex = random.chance(0.3);
    const frame = lengthOf(random);
    const length = frame + random.integer(0, 50);
    const step = draw.scalar(random.integer(1, 20), random.pick(['int32', 'int64']));
    const signal = tensorOf(random, type, [random.integer(1, 3), length, isComplex ? 2 : 1]);
    const attributes = { onesided: isComplex ? 0 : random.integer(0, 1) };
    const size = draw.scalar(frame, step.type);
    const weights = tensorOf(random, type, [frame]);
    const inputs = random.pick([
      [signal, step, weights],
      [signal, step, null, size],
      [signal, step, weights, size],
    ]);
    return { inputs, attributes };
  },
};
