import * as broadloom from 'broadloom';
import wasm from 'broadloom/broadloom.wasm';
import { check } from './check.js';

const runtime = broadloom.load({ wasm });

globalThis.result = check({ ...broadloom, load: () => runtime });
