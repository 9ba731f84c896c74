import type { WorkerLike } from './remote-types.js';

/** A worker, and where its wasm module is if that is not beside its script. */
export interface StartedWorker {
  readonly worker: WorkerLike;
  readonly wasm?: string;
}

/**
 * A worker with the script beside this package's JavaScript. Bundlers that know this form of URL take the script along. The
 * development server of Vite before version 8 moves the JavaScript alone.
 */
export async function startWebWorker(): Promise<StartedWorker> {
  if (typeof Worker === 'undefined') throw new Error('this host has no Worker');
  const here = import.meta.url;
  if (here.includes('/.vite/deps/'))
    return { worker: new Worker(here.replace(/\.vite\/deps\/.*/, 'broadloom/dist/worker.js'), { type: 'module' }) };
  if (isElsewhere(here)) return startFromElsewhere(here);
  return { worker: new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }) };
}

/** Whether this file, as it is in the package, is of another origin than the page. */
function isElsewhere(here: string): boolean {
  return /^https?:.*\/remote\.js$/.test(here) && new URL(here).origin !== globalThis.location?.origin;
}

/** Browsers run no script of another origin in a worker. They run a copy of it. */
async function startFromElsewhere(here: string): Promise<StartedWorker> {
  const beside = (file: string) => here.replace(/[^/]*$/, file);
  const response = await fetch(beside('worker.js'));
  if (!response.ok) throw new Error(`status ${response.status} for ${response.url}`);
  const script = URL.createObjectURL(new Blob([await response.text()], { type: 'text/javascript' }));
  try {
    return { worker: new Worker(script, { type: 'module' }), wasm: beside('broadloom.wasm') };
  } finally {
    URL.revokeObjectURL(script);
  }
}
