// Plain loops (loops.mjs). They are the reference for the results of the others.
import { plainLoops } from '../loops.mjs';
import { timed } from '../measure.mjs';
import { digestOf } from './peer.mjs';

export const plainJs = {
  name: 'plain JS',
  version: process.versions.v8,
  prepare(item) {
    const make = plainLoops(item);
    return { time: timed(() => make()[0]), digest: () => digestOf(make()), dispose() {} };
  },
};
