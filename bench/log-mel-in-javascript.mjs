// Whisper's log-mel spectrogram in plain JavaScript, as a page without WebAssembly would do it. fft.js transforms powers of two:
// a frame of 400 is a convolution (Bluestein's algorithm).
import FFT from 'fft.js';

const [length, hop, padded] = [400, 160, 1024];
const fft = new FFT(padded);
const chirp = Array.from({ length }, (_, i) => (Math.PI * ((i * i) % (2 * length))) / length);
const cosines = chirp.map(Math.cos);
const sines = chirp.map(Math.sin);
const window = Array.from({ length }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / length));

const filter = fft.createComplexArray();
const filterSpectrum = fft.createComplexArray();
for (let i = 0; i < length; i++) {
  for (const at of i === 0 ? [0] : [i, padded - i]) {
    filter[2 * at] = cosines[i];
    filter[2 * at + 1] = sines[i];
  }
}
fft.transform(filterSpectrum, filter);

const melOf = (f) => (f < 1000 ? (3 * f) / 200 : 15 + (27 * Math.log(f / 1000)) / Math.log(6.4));
const frequencyOf = (mel) => (mel < 15 ? (mel * 200) / 3 : 1000 * Math.exp(((mel - 15) * Math.log(6.4)) / 27));

/** Each bin's frequencies and their weights. */
function filtersOf(bins) {
  const corners = Array.from({ length: bins + 2 }, (_, i) => frequencyOf((melOf(8000) * i) / (bins + 1)));
  return Array.from({ length: bins }, (_, bin) => {
    const [left, center, right] = corners.slice(bin);
    const weights = [];
    for (let k = Math.ceil(left / 40); k * 40 < right; k++) {
      const side = Math.min((k * 40 - left) / (center - left), (right - k * 40) / (right - center));
      weights.push([k, (side * 2) / (right - left)]);
    }
    return weights;
  });
}

export function logMelInJavaScript(sound, bins) {
  const filters = filtersOf(bins);
  const frames = Math.floor(sound.length / hop);
  const result = new Float32Array(bins * frames);
  const [input, spectrum] = [fft.createComplexArray(), fft.createComplexArray()];
  const powers = new Float64Array(length / 2 + 1);
  let most = Number.NEGATIVE_INFINITY;
  for (let frame = 0; frame < frames; frame++) {
    input.fill(0);
    for (let i = 0; i < length; i++) {
      let at = Math.abs(frame * hop - length / 2 + i);
      if (at >= sound.length) at = 2 * (sound.length - 1) - at;
      const sample = sound[at] * window[i];
      input[2 * i] = sample * cosines[i];
      input[2 * i + 1] = -sample * sines[i];
    }
    fft.transform(spectrum, input);
    for (let i = 0; i < 2 * padded; i += 2) {
      const re = spectrum[i] * filterSpectrum[i] - spectrum[i + 1] * filterSpectrum[i + 1];
      spectrum[i + 1] = spectrum[i] * filterSpectrum[i + 1] + spectrum[i + 1] * filterSpectrum[i];
      spectrum[i] = re;
    }
    fft.inverseTransform(input, spectrum);
    // The last factor of the convolution has magnitude 1.
    for (let k = 0; k <= length / 2; k++) powers[k] = input[2 * k] ** 2 + input[2 * k + 1] ** 2;
    for (let bin = 0; bin < bins; bin++) {
      let sum = 0;
      for (const [k, weight] of filters[bin]) sum += powers[k] * weight;
      const value = Math.log10(Math.max(sum, 1e-10));
      result[bin * frames + frame] = value;
      if (value > most) most = value;
    }
  }
  for (let i = 0; i < result.length; i++) result[i] = (Math.max(result[i], most - 8) + 4) / 4;
  return result;
}
