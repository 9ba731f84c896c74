// Random calls of an operator that has no generator of its own: as its version in ONNX's schemas allows, and as `draw` in its
// words says (data/operators). `draw` has the dims of inputs, in letters for sizes; *D is for any number of axes. "N *D below C" is for
// integers from 0 to less than the size C. For attributes, it has lists of values. The schema gives the rest:
// inputs have the same dims, and attributes have values around their default.
import { allTypes, floats, integersOf, tensorOf } from './values.mjs';

/** The dims that letters stand for in one call. */
function sizesIn(random) {
  const sizes = new Map();
  const sizesOf = (letter) => {
    if (!sizes.has(letter)) sizes.set(letter, random.dims(letter.startsWith('*') ? random.integer(0, 3) : 1, 4, 1));
    return sizes.get(letter);
  };
  return (letters) => letters.split(' ').filter(Boolean).flatMap(sizesOf);
}

/** The values of an attribute that a call may have; none for one that is only given where `draw` names it. */
function valuesOf({ name, type, default: standard, choices }, rank) {
  if (choices !== undefined) return choices;
  if (name === 'axis') return Array.from({ length: 2 * rank }, (_, i) => i - rank);
  if (type === 'INT' && (standard === 0 || standard === 1)) return [0, 1];
  return type === 'FLOAT' && standard !== undefined ? [standard, 0.5, -1, 2] : [];
}

/**
 * @param name - of the operator
 * @param drawn - `draw` of its words
 * @returns a generator, as `generators` has them
 */
export const schemaGenerator =
  (name, drawn = {}) =>
  (draw) => {
    const { random, version } = draw;
    const dimsOf = sizesIn(random);
    const types = new Map();
    const typeOf = (parameter) => {
      if (!types.has(parameter.type)) {
        const allowed = version.typeConstraints[parameter.type] ?? [parameter.type];
        const known = allTypes.filter((type) => allowed.includes(type));
        types.set(
          parameter.type,
          random.pick(known.filter((type) => draw.types.includes(type) || !floats.includes(type))),
        );
      }
      return types.get(parameter.type);
    };
    const tensorFor = (parameter) => {
      const [letters, limit] = (drawn[parameter.name] ?? '*D').split(' below ');
      const dims = dimsOf(letters);
      if (limit === undefined) return tensorOf(random, typeOf(parameter), dims);
      const [size] = dimsOf(limit);
      return integersOf(typeOf(parameter), dims, () => random.integer(0, size - 1));
    };
    const inputs = version.inputs.flatMap((parameter) => {
      if (parameter.option === 'Optional' && random.chance(0.5)) return [null];
      const count = parameter.option === 'Variadic' ? random.integer(1, 3) : 1;
      return Array.from({ length: count }, () => tensorFor(parameter));
    });
    while (inputs.at(-1) === null) inputs.pop();
    const attributes = {};
    for (const attribute of version.attributes) {
      const values = drawn[attribute.name] ?? valuesOf(attribute, inputs[0]?.dims.length ?? 0);
      if (values.length > 0 && (attribute.required || random.chance(0.5)))
        attributes[attribute.name] = random.pick(values);
      else if (attribute.required)
        throw new Error(
          `data/operators/${name}.json: draw has no values of '${attribute.name}', which calls must have`,
        );
    }
    return { inputs, attributes };
  };
