import { OnnxError } from '../basics/error.js';
import { flagAgainst } from '../basics/permission.js';

/** The code of workers' callers, which is loaded when it is first wanted. @internal */
export function remoteOf(method: string): Promise<typeof import('../entries/remote.js')> {
  return import('../entries/remote.js').catch((cause) => {
    const flag = flagAgainst(cause);
    const advice = flag ? `: start Node with ${flag}` : '';
    const text = `${method}: no remote.js beside the script (${cause?.message})${advice}`;
    throw new OnnxError('INVALID_ARGUMENT', text, { cause });
  });
}
