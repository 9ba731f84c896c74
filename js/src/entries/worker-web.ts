// The worker's script, dist/worker.js: for browsers, Bun, Deno, and bundles. It has a runtime of its own: an import of the entry
// would lead bundlers from this script to itself.
import { OnnxError } from '../basics/error.js';
import { load } from '../runtime/load.js';
import type { Port } from '../worker/worker-service.js';
import { serve } from '../worker/worker-service.js';

function webPort(): Port {
  return {
    listen: (listener) => addEventListener('message', ({ data }) => listener(data)),
    post: (message, buffers) => postMessage(message, { transfer: buffers }),
  };
}

/** The port of a bundle that runs in a thread of Node. */
function threadPort(): Port | null | undefined {
  // Bundlers for browsers look for a package where they see Node's own names.
  const { process } = globalThis as { process?: typeof import('node:process') };
  const port = process?.getBuiltinModule('node:worker_threads').parentPort;
  return (
    port && {
      listen: (listener) => port.on('message', listener),
      post: (message, buffers) => port.postMessage(message, buffers),
    }
  );
}

const port = typeof document !== 'undefined' ? undefined : typeof postMessage === 'function' ? webPort() : threadPort();
if (!port) throw new Error('broadloom/worker is the script of a worker: new Worker(...) runs it');
serve(port, load, OnnxError);
