'use client';

import * as broadloom from 'broadloom';
import { useEffect } from 'react';
import { check } from '../check.js';

export default function Page() {
  useEffect(() => {
    // React's strict mode calls effects twice: two checks at once would find each other's tensors.
    globalThis.result ??= check(broadloom);
  }, []);
  return <h1>Broadloom with Next.js</h1>;
}
