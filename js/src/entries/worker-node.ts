// The script of a thread of Node, dist/worker-node.js and dist/cjs/worker.js.
import { parentPort } from 'node:worker_threads';
import { serve } from '../worker/worker-service.js';
import { load, OnnxError } from './index.js';

const port = parentPort;
if (port === null) throw new Error('broadloom/worker is the script of a worker: new Worker(...) runs it');
serve(
  {
    listen: (listener) => port.on('message', listener),
    post: (message, buffers) => port.postMessage(message, buffers),
  },
  load,
  OnnxError,
);
