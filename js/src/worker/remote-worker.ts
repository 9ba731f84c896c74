import type { WorkerLike } from './remote-types.js';

/** A worker, the address of its script, and where its wasm module is if that is not beside its script. */
export interface StartedWorker {
  readonly worker: WorkerLike;
  readonly script?: string;
  readonly wasm?: string;
}

/** The part of Trusted Types that is used here: pages that require them run no script at an address that is a text. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** A policy can be made once in a page. Undefined where there are none, or the page allows none of this name. */
function policyOfPage(): typeof policy {
  try {
    policy ??= (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('broadloom', {
      createScriptURL: (url) => url,
    });
  } catch {
    // The page tells so in its console.
  }
  return policy;
}

/**
 * Calls `make`, whose `new Worker(address)` gets the address by the policy. Bundlers know no other form of that call, so it is
 * the class that is replaced while `make` runs.
 */
function trusted(make: () => Worker): Worker {
  const by = policyOfPage();
  const host = globalThis as { Worker: unknown };
  const Own = Worker;
  if (by === undefined) return make();
  const scriptAt = (address: string | URL) => by.createScriptURL(String(address));
  try {
    host.Worker = class extends Own {
      constructor(address: string | URL, options?: WorkerOptions) {
        super(scriptAt(address), options);
      }
    };
    return make();
  } finally {
    host.Worker = Own;
  }
}

/**
 * A worker with the script beside this package's JavaScript. Bundlers that know this form of URL take the script along. The
 * development server of Vite before version 8 moves the JavaScript alone.
 */
export async function startWebWorker(): Promise<StartedWorker> {
  // Classic scripts, which bundlers make, do not have it.
  const here: string | undefined = import.meta.url;
  if (typeof Worker === 'undefined') return startThread(here);
  if (here === undefined) throw new Error('a classic script does not know where it is');
  if (here.includes('/.vite/deps/')) {
    const script = here.replace(/\.vite\/deps\/.*/, 'broadloom/dist/worker.js');
    return { worker: trusted(() => new Worker(script, { type: 'module' })), script };
  }
  if (isElsewhere(here)) return startFromElsewhere(here);
  const worker = trusted(() => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }));
  return { worker, script: besideOf(here, 'worker.js') };
}

const besideOf = (here: string, file: string) => here.replace(/[^/]*$/, file);

/** A thread of Node for a bundle: the script is there where the bundler took it along, or the package is still in its place. */
function startThread(here: string | undefined): StartedWorker {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const moduleOf = <M>(name: string) => process?.getBuiltinModule?.(name) as M | undefined;
  const threads = moduleOf<typeof import('node:worker_threads')>('node:worker_threads');
  if (threads === undefined) throw new Error('this host has no Worker');
  const script = here === undefined ? undefined : new URL(besideOf(here, 'worker.js'));
  if (script === undefined || !moduleOf<typeof import('node:fs')>('node:fs')?.existsSync(script))
    throw new Error(`a bundle for Node has no worker.js beside it${script === undefined ? '' : `: ${script}`}`);
  return { worker: new threads.Worker(script, { execArgv: [] }), script: script.href };
}

/** Whether this file, as it is in the package, is of another origin than the page. */
function isElsewhere(here: string): boolean {
  return /^https?:.*\/remote\.js$/.test(here) && new URL(here).origin !== globalThis.location?.origin;
}

/** Browsers run no script of another origin in a worker. They run a copy of it. */
async function startFromElsewhere(here: string): Promise<StartedWorker> {
  const address = besideOf(here, 'worker.js');
  const response = await fetch(address);
  if (!response.ok) throw new Error(`status ${response.status} for ${response.url}`);
  const script = URL.createObjectURL(new Blob([await response.text()], { type: 'text/javascript' }));
  try {
    const worker = trusted(() => new Worker(script, { type: 'module' }));
    return { worker, script: address, wasm: besideOf(here, 'broadloom.wasm') };
  } finally {
    URL.revokeObjectURL(script);
  }
}
