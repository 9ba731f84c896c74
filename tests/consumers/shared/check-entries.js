// The check, with the entries for programs of onnxruntime, as a consumer with ES modules imports them.
import * as onnxruntime from 'broadloom/onnxruntime';
import * as ort from 'broadloom/ort';
import * as common from 'onnxruntime-common';
import { check as checkWith } from './check.js';

export const check = (broadloom, options) =>
  checkWith(broadloom, { ...options, entries: { onnxruntime, ort, common } });
