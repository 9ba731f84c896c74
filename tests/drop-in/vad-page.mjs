// The page of @ricky0123/vad-web, with onnxruntime-web or with Broadloom in its place.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../../tools/run.mjs';
import { launch, patience } from '../browser/helpers/browsers.mjs';
import { fileOf, pageScript } from './bundle.mjs';

/**
 * A voice that says "ah" in quiet noise, for 0.9 of each 3 seconds: three resonances of a throat, in Hz. Runs in the page, and makes
 * a frame of 512 samples when it is asked for one: the first probability waits for no other.
 */
function* voice(seconds, sampleRate = 16000) {
  const throat = [
    [700, 80],
    [1220, 90],
    [2600, 120],
  ].map(([frequency, width]) => {
    const radius = Math.exp((-Math.PI * width) / sampleRate);
    const factor = 2 * radius * Math.cos((2 * Math.PI * frequency) / sampleRate);
    let [last, before] = [0, 0];
    return (sample) => {
      [last, before] = [sample + factor * last - radius * radius * before, last];
      return last;
    };
  });
  let state = 1;
  let phase = 0;
  const sampleAt = (i) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    phase += (120 + 30 * Math.sin(i / 3000)) / sampleRate;
    const pulse = phase >= 1 && i % 48000 < 14000 ? 0.005 : 0;
    phase %= 1;
    return throat.reduce((sample, filter) => filter(sample), pulse) + (0.002 * state) / 2 ** 31;
  };
  for (let first = 0; first + 512 <= seconds * sampleRate; first += 512)
    yield Float32Array.from({ length: 512 }, (_, i) => sampleAt(first + i));
}

/** The microphone's frames come from a list; all else is vad-web's. */
const script = `
  import { MicVAD } from '@ricky0123/vad-web';
  const voice = ${voice};
  const hear = async (frames) => {
    const probabilities = [];
    const segments = [];
    let first;
    let frame = 0;
    const vad = await MicVAD.new({
      model: 'v5',
      startOnLoad: false,
      baseAssetPath: '/models/',
      onnxWASMBasePath: '/module/',
      ortConfig: (ort) => { ort.env.wasm.numThreads = 1; },
      onFrameProcessed: ({ isSpeech }) => { first ??= performance.now(); probabilities.push(isSpeech); },
      onSpeechStart: () => segments.push(['start', frame]),
      onSpeechEnd: (audio) => segments.push(['end', frame, audio.length]),
      onVADMisfire: () => segments.push(['misfire', frame]),
    });
    vad.frameProcessor.resume();
    for (const samples of frames) {
      await vad.processFrame(samples);
      frame++;
    }
    const [{ responseEnd }] = performance.getEntriesByName(new URL('/models/silero_vad_v5.onnx', location).href);
    return { probabilities, segments, first, model: responseEnd };
  };
  window.heard = hear(voice(Number(location.hash.slice(1))));
`;

const types = { js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm', html: 'text/html' };

/** Serves files, packed as servers on the web do, and counts the bytes that go out, without those of models. */
async function serve(files) {
  const packed = new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      gzipSync(typeof content === 'function' ? content() : content),
    ]),
  );
  let bytes = 0;
  const server = createServer((request, response) => {
    const body = packed.get(request.url);
    if (body === undefined) {
      response.statusCode = 404;
      response.end();
      return;
    }
    if (!request.url.startsWith('/models/')) bytes += body.length;
    response.setHeader('Content-Encoding', 'gzip');
    response.setHeader('Content-Type', types[request.url.split('.').at(-1)] ?? 'application/octet-stream');
    response.end(body);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const close = () => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  };
  return { address: `http://127.0.0.1:${server.address().port}`, bytes: () => bytes, close };
}

const page = '<!doctype html><meta charset="utf-8"><title>voice</title><script type="module" src="/page.js"></script>';
const common = async (file) => ({
  '/page.html': page,
  '/page.js': await pageScript(script, file),
  '/models/silero_vad_v5.onnx': readFileSync(fileOf('@ricky0123/vad-web/dist/silero_vad_v5.onnx')),
});

/** The files of the page with onnxruntime-web. */
export async function pageOfOnnxruntime() {
  const names = ['ort-wasm-simd-threaded.wasm', 'ort-wasm-simd-threaded.mjs'];
  return {
    ...(await common()),
    ...Object.fromEntries(
      names.map((name) => [`/module/${name}`, readFileSync(fileOf(`onnxruntime-web/dist/${name}`))]),
    ),
  };
}

/** The files of the page with Broadloom, and its whole module or another one. */
export async function pageOfBroadloom(module = readFileSync(join(root, 'dist/broadloom.wasm'))) {
  return { ...(await common('dist/onnxruntime.js')), '/broadloom.wasm': module };
}

/**
 * Opens the page in a new browser, and lets it hear `seconds` seconds.
 *
 * @returns `probabilities`, `segments`, `model` and `first` (milliseconds from the navigation until the model was there, and to the first
 * probability), and `bytes`, which the page needed beside the model
 */
export async function hear(files, seconds) {
  const { browser, close } = await launch('chromium');
  const server = await serve(files);
  try {
    const tab = await browser.newPage();
    tab.setDefaultTimeout(patience);
    await tab.goto(`${server.address}/page.html#${seconds}`);
    await tab.waitForFunction(() => window.heard !== undefined);
    const heard = await tab.evaluate(() => window.heard);
    return { ...heard, bytes: server.bytes() };
  } finally {
    await close();
    await server.close();
  }
}
