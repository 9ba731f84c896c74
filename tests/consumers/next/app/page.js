'use client';

import * as broadloom from 'broadloom';
import { useEffect } from 'react';
import { check } from '../check-entries.js';

export default function Page() {
  useEffect(() => {
    globalThis.result = check(broadloom);
  }, []);
  return <h1>Broadloom with Next.js</h1>;
}
