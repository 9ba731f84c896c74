// The caller's side of workers. A file of its own, dist/remote.js, which the other entries import when it is wanted.
export { openPool } from '../pool/open-pool.js';
export { connect } from '../worker/remote-runtime.js';
