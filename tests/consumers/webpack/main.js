import * as broadloom from 'broadloom';
import * as onnxruntime from 'broadloom/onnxruntime';
import * as ort from 'broadloom/ort';
import * as common from 'onnxruntime-common';
import { check } from './check.js';

globalThis.result = check(broadloom, { inWorker: {}, entries: { onnxruntime, ort, common } });
