// Products of one input and many matrices, as the layers of a network have them: read in turn, they do not fit the caches.
import { Feeds } from './blocks.mjs';
import { Network } from './network.mjs';

function products({ rows, sums = 576, columns = 1536, matrices = 16, ...rest }) {
  const n = new Network(rest);
  const x = n.input('x', n.type, [rows, sums]);
  for (let i = 0; i < matrices; i++) n.result(`y${i}`, n.product(x, sums, columns), [rows, columns]);
  return { file: n.file('products'), feeds: new Feeds(n.weights).floats('x', n.type, [rows, sums]).list };
}

const forms = { float32: {}, float16: { type: 'float16' }, dynamic: { products: 'dynamic' }, q4: { products: 'q4' } };

/** Cases by name, in the forms of networks. */
export const productCases = Object.fromEntries(
  Object.entries(forms).flatMap(([form, options]) =>
    [1, 2, 4, 8, 16, 32, 128].map((rows) => [
      `products ${form} of ${rows} rows`,
      { make: products, rows, ...options, tiny: { sums: 32, columns: 24, matrices: 2 } },
    ]),
  ),
);
