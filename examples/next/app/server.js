// What the route handlers share. Next.js may bundle a module once for each of them, so the one instance is a property of globalThis.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { directionClassifier } from './direction.js';
import { spansOf } from './telemetry.js';
import { Uploads } from './uploads.js';

/** Bounds of files: the bytes of one, those of all in the process, and the time in which one arrives. */
const limits = { bytes: 2 ** 23, least: 2 ** 18, inFlight: 2 ** 26, milliseconds: 30_000 };

/** The pictures that are decoded at the same time. The largest one has 64 MB. */
const mostDecoded = 2;

function makeServer() {
  const readModel = () => readFile(join(process.cwd(), 'public/direction.onnx'));
  const classify = directionClassifier(readModel, { onRun: spansOf('ppocr-direction') });
  const waiting = [];
  let decoded = 0;
  let isReady = false;
  return {
    uploads: new Uploads(limits),

    /** Whether the model is open and was run, and its runtime has not ended since. */
    isReady: () => isReady,

    /** As the function of `directionClassifier`. */
    async classify(picture) {
      try {
        const answer = await classify(picture);
        isReady = true;
        return answer;
      } catch (error) {
        if (error.code === 'DISPOSED') isReady = false;
        throw error;
      }
    },

    /** Calls a function that decodes a picture when few others are decoded. */
    async inTurn(work) {
      if (decoded === mostDecoded) await new Promise((resolve) => waiting.push(resolve));
      else decoded++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else decoded--;
      }
    },
  };
}

const key = Symbol.for('the server of examples/next');
export const server = (globalThis[key] ??= makeServer());
