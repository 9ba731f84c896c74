import type { WorkerLike } from './remote-types.js';

/**
 * A worker with the script beside this package's JavaScript. Bundlers that know this form of URL take the script along. The
 * development server of Vite before version 8 moves the JavaScript alone. Browsers run no script of another origin in a worker,
 * but one of their own may import it.
 */
export function startWebWorker(): WorkerLike {
  if (typeof Worker === 'undefined') throw new Error('this host has no Worker');
  const here = import.meta.url;
  if (here.includes('/.vite/deps/'))
    return new Worker(here.replace(/\.vite\/deps\/.*/, 'broadloom/dist/worker.js'), { type: 'module' });
  try {
    return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  } catch (error) {
    if ((error as Error).name !== 'SecurityError') throw error;
    const script = `import ${JSON.stringify(here.replace(/[^/]*$/, 'worker.js'))}`;
    const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    return new Worker(address, { type: 'module' });
  }
}
