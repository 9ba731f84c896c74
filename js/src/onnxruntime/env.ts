import { show } from '../basics/show.js';
import type { Env } from './env-types.js';
import { Host } from './host.js';
import { levels, log } from './warnings.js';

/** Flags of all sessions. */
export const env: Env = {
  wasm: {},
  webgl: {},
  webgpu: { profiling: {} },
  versions: { common: '1.30.0', broadloom: broadloomVersion },
  get logLevel() {
    return log.level;
  },
  set logLevel(level) {
    if (level === undefined) return;
    if (!levels.includes(level)) throw new Error(`Unsupported logging level: ${show(level)}`);
    log.level = level;
  },
};

/** The runtime of all sessions. */
export const host = new Host(() => env.broadloom);
