import './atob.js';
import * as broadloom from 'broadloom/worklet';
import { check } from './check.js';

for (const name of ['fetch', 'URL', 'TextDecoder', 'TextEncoder', 'performance'])
  if (name in globalThis) console.error(`this worklet has ${name}`);

/** Checks the package with a runtime that starts synchronously, and refuses what a worklet cannot do. */
async function checkHere(wasm) {
  const ops = broadloom.loadSync(wasm);
  for (const refuse of [broadloom.load, broadloom.loadInWorker]) {
    const { message } = await refuse().catch((error) => error);
    if (!/worklet/.test(message)) throw new Error(message);
  }
  return check({ ...broadloom, load: async () => ops });
}

class Check extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    checkHere(processorOptions.wasm).then(
      (result) => this.port.postMessage({ result }),
      (error) => this.port.postMessage({ error: `${error}\n${error.stack}` }),
    );
  }

  process() {
    return true;
  }
}

registerProcessor('check', Check);
