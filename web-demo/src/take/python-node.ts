// The node of a call in Python, with its attributes.
import { quoted } from '../values/visible.js';
import { listLines } from './lines.js';
import { isIdentifier } from './names.js';
import { array, float } from './numpy.js';
import { type AttributeSource, attributeStorage, type Source } from './source.js';

function tensorProto(source: Source, name: string): string {
  const text = array(source, attributeStorage(name), '    ');
  const loaded = /^numpy_helper\.to_array\((onnx\.load_tensor\("[^"]*"\))\)$/.exec(text)?.[1];
  return loaded ?? `numpy_helper.from_array(${text}, ${JSON.stringify(name)})`;
}

/** An attribute as an expression; undefined for an empty list, whose kind Python cannot tell. */
function attributeCode(name: string, source: AttributeSource): string | undefined {
  const list = <T>(values: readonly T[], write: (value: T) => string): string | undefined =>
    values.length === 0 ? undefined : listLines('[', values.map(write), ']', '    ');
  switch (source.kind) {
    case 'INT':
      return String(source.value);
    case 'FLOAT':
      return float(source.value);
    case 'STRING':
      return quoted(source.value);
    case 'INTS':
      return list(source.value, String);
    case 'FLOATS':
      return list(source.value, float);
    case 'STRINGS':
      return list(source.value, quoted);
    case 'TENSOR':
      return tensorProto(source.value, name);
    default: {
      const [values, indices] = [
        tensorProto(source.values, `${name}_values`),
        tensorProto(source.indices, `${name}_indices`),
      ];
      return `helper.make_sparse_tensor(\n        ${values},\n        ${indices},\n        [${source.dims.join(', ')}],\n    )`;
    }
  }
}

/** The statements that make `node`. */
export function nodeLines(
  operator: string,
  attributes: readonly [string, AttributeSource][],
  inputs: readonly string[],
  outputs: readonly string[],
): string[] {
  const listed = (names: readonly string[]): string => `[${names.map((name) => JSON.stringify(name)).join(', ')}]`;
  const written = attributes.map(([name, source]) => [name, attributeCode(name, source)] as const);
  const named = written.flatMap(([name, code]) =>
    code === undefined
      ? []
      : [isIdentifier(name) ? `    ${name}=${code},` : `    **{${JSON.stringify(name)}: ${code}},`],
  );
  const head = [JSON.stringify(operator), listed(inputs), listed(outputs)].join(', ');
  const empty = attributes.filter((_, i) => written[i]?.[1] === undefined);
  return [
    ...(named.length === 0
      ? [`node = helper.make_node(${head})`]
      : ['node = helper.make_node(', `    ${head},`, ...named, ')']),
    ...empty.map(
      ([name, { kind }]) =>
        `node.attribute.append(onnx.AttributeProto(name=${JSON.stringify(name)}, type=onnx.AttributeProto.${kind}))`,
    ),
  ];
}
