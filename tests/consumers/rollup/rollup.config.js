import { fileURLToPath } from 'node:url';

const files = { broadloom: 'index.js', 'broadloom/inline': 'inline.js' };

/** What @rollup/plugin-node-resolve does, for this one package. */
const resolve = {
  name: 'resolve',
  resolveId: (id) =>
    id in files ? fileURLToPath(new URL(`node_modules/broadloom/dist/${files[id]}`, import.meta.url)) : null,
};

export default {
  input: ['beside.js', 'inline.js'],
  output: { dir: 'dist' },
  plugins: [resolve],
};
