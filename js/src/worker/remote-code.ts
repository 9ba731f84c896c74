import { OnnxError } from '../basics/error.js';
import { permissionAdvice } from '../basics/permission.js';

/** The code of workers' callers, which is loaded when it is first wanted. @internal */
export function remoteOf(method: string): Promise<typeof import('../entries/remote.js')> {
  return import('../entries/remote.js').catch((cause) => {
    const advice = permissionAdvice(cause);
    const text = `${method}: no remote.js beside the script (${cause?.message})${advice ? `: ${advice}` : ''}`;
    throw new OnnxError('INVALID_ARGUMENT', text, { cause });
  });
}
