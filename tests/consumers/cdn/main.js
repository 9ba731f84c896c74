import { check } from './check.js';

const cdn = new URLSearchParams(location.search).get('cdn');
const broadloom = await import(`${cdn}dist/index.js`);

globalThis.result = await check(broadloom, { inWorker: {} });
