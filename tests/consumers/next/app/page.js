'use client';

import * as broadloom from 'broadloom';
import * as onnxruntime from 'broadloom/onnxruntime';
import * as ort from 'broadloom/ort';
import * as common from 'onnxruntime-common';
import { useEffect } from 'react';
import { check } from '../check.js';

export default function Page() {
  useEffect(() => {
    globalThis.result = check(broadloom, { entries: { onnxruntime, ort, common } });
  }, []);
  return <h1>Broadloom with Next.js</h1>;
}
