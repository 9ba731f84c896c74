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
