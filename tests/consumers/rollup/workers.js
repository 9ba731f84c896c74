import * as broadloom from 'broadloom';
import { check } from './check.js';

const loadInWorker = () =>
  broadloom.loadInWorker({
    worker: () => new Worker(new URL('./model-worker.js', import.meta.url), { type: 'module' }),
  });

globalThis.result = check({ ...broadloom, loadInWorker }, { inWorker: {} });
