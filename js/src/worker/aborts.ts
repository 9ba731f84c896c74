/** Why a signal is aborted. Those of libraries have no reason. */
export function reasonOfAbort(signal: AbortSignal | undefined): unknown {
  return signal?.reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : signal.reason;
}

/** Functions that are called when a signal is aborted. */
const followers = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls a function once when a signal is aborted. Returns what prevents it. A signal gets one listener however many calls it is given
 * to: Node takes more than ten for a leak.
 */
export function onAbort(signal: AbortSignal | undefined, follow: () => void): () => void {
  if (signal === undefined) return () => {};
  const all = followers.get(signal) ?? listen(signal);
  const own = () => follow(); // one function may be given twice
  all.add(own);
  return () => {
    all.delete(own);
  };
}

function listen(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>();
  followers.set(signal, all);
  signal.addEventListener('abort', () => {
    for (const follow of all) follow();
    all.clear();
  });
  return all;
}

/** The result of a promise, or the reason of a signal that is aborted first. */
export async function untilAborted<R>(signal: AbortSignal | undefined, result: Promise<R>): Promise<R> {
  if (signal === undefined) return result;
  let ignore = () => {};
  const aborted = new Promise<never>((_, reject) => {
    ignore = onAbort(signal, () => reject(reasonOfAbort(signal)));
  });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    ignore();
  }
}
