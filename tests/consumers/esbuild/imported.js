import * as broadloom from 'broadloom';
import wasm from 'broadloom/broadloom.wasm';
import * as onnxruntime from 'broadloom/onnxruntime';
import { register } from 'broadloom/ort';
import * as common from 'onnxruntime-common';
import { check } from './check.js';

const runtime = broadloom.load({ wasm });
onnxruntime.env.broadloom = { wasm };
const ort = { register: (theirs) => register(theirs, { load: { wasm } }) };

globalThis.result = check({ ...broadloom, load: () => runtime }, { entries: { onnxruntime, ort, common } });
