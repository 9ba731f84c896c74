export default {
  target: 'node',
  mode: 'production',
  entry: './print.js',
  output: { filename: 'webpack.cjs' },
};
