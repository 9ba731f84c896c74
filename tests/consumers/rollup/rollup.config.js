import { nodeResolve } from '@rollup/plugin-node-resolve';

export default {
  input: ['beside.js', 'inline.js', 'workers.js', 'model-worker.js'],
  output: { dir: 'dist' },
  plugins: [nodeResolve()],
};
