export default {
  target: 'node',
  mode: 'production',
  entry: './main.js',
  output: { filename: 'webpack.cjs' },
};
