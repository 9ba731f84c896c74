// Starts the worker and the download of the wasm module. The page loads this small file first, so that both come beside the rest.
import wasm from 'broadloom/broadloom.wasm?url';

export const worker = new Worker(new URL('./runtime/worker.ts', import.meta.url), {
  type: 'module',
  name: 'broadloom',
});

/** The error of a worker that ended before the page could listen. */
export const early: { error?: Error } = {};
worker.addEventListener('error', ({ message }) => {
  early.error = new Error(message || 'the worker could not be loaded');
});

/** Gives the module to the worker, which fetches it by itself where this does not work, and says what is wrong. */
async function sendModule(): Promise<void> {
  const module = await WebAssembly.compileStreaming(fetch(wasm)).catch(() => undefined);
  worker.postMessage({ wasm: module });
}

void sendModule();
