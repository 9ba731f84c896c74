'use client';

import * as broadloom from 'broadloom';
import { useEffect } from 'react';
import { check } from '../../check.js';

export default function Page() {
  useEffect(() => {
    globalThis.result = check(broadloom, { inWorker: {} });
  }, []);
  return <h1>Broadloom with Next.js, in a worker</h1>;
}
