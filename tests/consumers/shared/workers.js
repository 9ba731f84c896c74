import * as broadloom from 'broadloom';
import { check } from './check.js';

const worker = () => new Worker(new URL('./model-worker.js', import.meta.url), { type: 'module' });
const loadInWorker = () => broadloom.loadInWorker({ worker });
const loadPool = (options) => broadloom.loadPool({ ...options, worker });

globalThis.result = check({ ...broadloom, loadInWorker, loadPool }, { inWorker: {} });
