// Architectures by name, with random weights of a seed, as exporters write them: what bench/architectures.mjs measures and
// tests/models/architectures.test.mjs runs in small. `make(sizes)` gives { file, feeds: [{ name, type, dims, elements }] }.
import { audioArchitectures } from './audio-cases.mjs';
import { generationCases } from './generation.mjs';
import { layerCases } from './layers.mjs';
import { productCases } from './products.mjs';
import { textArchitectures } from './text-cases.mjs';
import { visionArchitectures } from './vision-cases.mjs';

/**
 * The most by which results may differ from onnxruntime's: the norm of the difference over the norm of the result. In float32 only
 * the order of sums differs. A value of float16 is rounded to 11 bits after each node, here and there at other places. Where values
 * are quantised, one that lies between two levels goes to either, and its whole row with it: 1 to 4 % were measured, and a
 * wrong node changes a result by its own size.
 */
const tolerances = { float32: 1e-4, float16: 1e-2, dynamic: 0.08, qdq: 0.12, plain: 0, q4: 0 };

const withFamily = (family, cases) =>
  Object.entries(cases).map(([name, { make, tiny, isQuantised, within = 0, ...sizes }]) => ({
    name,
    family,
    make: (changed = {}) => make({ ...sizes, ...changed }),
    tiny,
    within: Math.max(
      within,
      tolerances[sizes.type ?? 'float32'],
      tolerances[isQuantised ? 'qdq' : (sizes.products ?? 'plain')],
    ),
  }));

/** @returns [{ name, family: text | vision | audio | generation, make, tiny, within }] */
export const architectures = [
  ...withFamily('text', textArchitectures),
  ...withFamily('vision', visionArchitectures),
  ...withFamily('audio', audioArchitectures),
  ...withFamily('generation', generationCases),
];

/** Products and layers of single nodes, measured when their names are asked for. */
export const singleNodes = [...withFamily('products', productCases), ...withFamily('layers', layerCases)];
