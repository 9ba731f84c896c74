// Architectures of sound: their sizes in the benchmark, and what is smaller in tests.
import * as audio from './audio.mjs';
import { voiceDetector } from './recurrent.mjs';
import { whisperDecoder, whisperEncoder } from './seq2seq.mjs';

const tinyWhisper = { layers: 1, hidden: 32, heads: 2 };
const tinyDecoder = { ...tinyWhisper, words: 60, memory: 8 };

export const audioArchitectures = {
  'whisper encoder': { make: whisperEncoder, tiny: { ...tinyWhisper, frames: 20 } },
  'whisper encoder fp16': { make: whisperEncoder, type: 'float16', frames: 200, tiny: { ...tinyWhisper, frames: 20 } },
  'whisper first tokens': {
    make: whisperDecoder,
    layers: 2,
    words: 32000,
    past: 0,
    length: 4,
    tiny: { ...tinyDecoder, length: 3, past: 0 },
  },
  'whisper step': { make: whisperDecoder, layers: 2, words: 32000, tiny: { ...tinyDecoder, past: 4 } },
  'whisper q8 step': { make: whisperDecoder, products: 'dynamic', words: 16000, tiny: { ...tinyDecoder, past: 4 } },
  wav2vec2: { make: audio.wav2vec2, tiny: { samples: 1200, width: 8, hidden: 32, heads: 2, layers: 1, letters: 8 } },
  'wav2vec2 q8': {
    make: audio.wav2vec2,
    products: 'dynamic',
    tiny: { samples: 1200, width: 8, hidden: 32, heads: 2, layers: 1, letters: 8 },
  },
  conformer: { make: audio.conformer, tiny: { frames: 24, hidden: 16, heads: 2, layers: 1, classes: 10 } },
  'hifi-gan': { make: audio.hifigan, tiny: { frames: 4, width: 16, rates: [4, 2] } },
  // onnxruntime's InstanceNormalization of 127,744 numbers is 2e-5 from the right result (here 7e-8), and there are 17.
  'conv-tasnet': {
    within: 1e-3,
    make: audio.convTasnet,
    tiny: { samples: 200, width: 16, hidden: 8, inner: 16, blocks: 2 },
  },
  demucs: { make: audio.demucs, tiny: { samples: 256, width: 8, depth: 2 } },
  'keyword spotter': { make: audio.keywords, tiny: { width: 12, layers: 1, classes: 5 } },
  'voice detector': { make: voiceDetector, tiny: { samples: 64, hidden: 16 } },
};
