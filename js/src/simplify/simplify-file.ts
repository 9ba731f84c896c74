import { noBytes } from '../basics/file-bytes.js';
import { arrayName } from '../basics/typed-arrays.js';
import type { Context } from '../calls/context.js';
import { isBlob } from '../model/file-parts.js';
import { simplifyBlob, simplifyBytes } from './simplify.js';
import type { SimplifiedBlob, SimplifiedBytes, SimplifyOptions } from './types.js';
import { type Runner, verifySimplified, verifyWithFiles } from './verify.js';

/** Does the work of {@link Runtime.simplify}; `ops` is the runtime, which runs both models for `verify`. @internal */
export function simplifyFile(
  context: Context,
  ops: Runner,
  file: Uint8Array | Blob,
  options: SimplifyOptions | undefined,
): SimplifiedBytes | Promise<SimplifiedBlob> {
  if (isBlob(file)) return simplifyWhole(context, ops, file, options);
  if (arrayName(file) !== 'Uint8Array') throw noBytes('simplify: the file is ', file, 'a Uint8Array or a Blob');
  const { bytes, report } = simplifyBytes(context, file, options);
  if (!options?.verify) return { bytes, report };
  return { bytes, report: { ...report, verified: verifySimplified(ops, file, bytes, options) } };
}

async function simplifyWhole(
  context: Context,
  ops: Runner,
  file: Blob,
  options: SimplifyOptions | undefined,
): Promise<SimplifiedBlob> {
  const { blob, report } = await simplifyBlob(context, file, options);
  if (!options?.verify) return { blob, report };
  const [before, after] = await Promise.all([file, blob].map(async (one) => new Uint8Array(await one.arrayBuffer())));
  const verified = await verifyWithFiles(ops, before as Uint8Array, after as Uint8Array, options);
  return { blob, report: { ...report, verified } };
}
