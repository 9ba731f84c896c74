import { fileURLToPath } from 'node:url';

export default {
  mode: 'production',
  entry: './main.js',
  performance: { hints: false },
  output: { path: fileURLToPath(new URL('dist', import.meta.url)) },
};
