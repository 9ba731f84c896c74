// Digests of elements.
import { createHash } from 'node:crypto';
import type { Data } from '../../shared/model-diff/weights.js';

/** The SHA-256 of elements in ONNX's own layout. */
export function sha256Of(data: Data): string {
  const hash = createHash('sha256');
  if (Array.isArray(data)) hash.update(JSON.stringify(data));
  else hash.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return hash.digest('hex');
}
