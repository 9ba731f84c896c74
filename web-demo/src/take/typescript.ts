// A call as a program in TypeScript that uses Broadloom. It runs in Node as it stands.
import type { CallDraft } from '../drafts.js';
import { newestOpset } from '../facts.js';
import { quoted } from '../values/visible.js';
import { elementList, integer, literal, randomFunction } from './javascript.js';
import { listLines } from './lines.js';
import { methodOf } from './methods.js';
import { callNames, isIdentifier, namer } from './names.js';
import {
  type AttributeSource,
  attributeStorage,
  attributesOf,
  inputStorage,
  type Source,
  type Storage,
  sourceOf,
  storedFile,
} from './source.js';

/** Names of the program's own, and the words that JavaScript's modules keep. */
const reserved = [
  'ops load random readFile output Array String Math console',
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if',
  'implements import in instanceof interface let new null package private protected public return static super switch this throw',
  'true try typeof var void while with yield arguments eval undefined NaN Infinity',
].flatMap((line) => line.split(' '));

/** Collects the statements that make the tensors of a call. */
class Statements {
  readonly lines: string[] = [];
  readonly name = namer(reserved);
  needsRandom = false;
  needsFiles = false;

  /** Declares a tensor. */
  tensor(wanted: string, source: Source, storage: Storage): string {
    const name = this.name(wanted);
    const { type, dims, elements } = source;
    const list = elementList(source);
    if (elements.kind === 'random') this.needsRandom = true;
    if (list === undefined) {
      this.needsFiles = true;
      const stored = storedFile(source, storage, /\.pb$/);
      this.lines.push(
        `// ${stored.comment}`,
        `const ${name} = ops.readTensor(await readFile(${quoted(stored.file)}));`,
      );
    } else {
      this.lines.push(`const ${name} = ops.tensor(${JSON.stringify(type)}, ${list}, [${dims.join(', ')}]);`);
    }
    return name;
  }

  /** An attribute as an expression. */
  attribute(name: string, source: AttributeSource): string {
    switch (source.kind) {
      case 'INT':
        return integer(source.value);
      case 'INTS':
        return listLines('[', source.value.map(integer), ']', '');
      case 'FLOAT':
      case 'STRING':
        return literal(source.value);
      case 'FLOATS':
      case 'STRINGS':
        return listLines('[', source.value.map(literal), ']', '');
      case 'TENSOR':
        return this.tensor(name, source.value, attributeStorage(name));
      default: {
        const values = this.tensor('values', source.values, attributeStorage(`${name}_values`));
        const indices = this.tensor('indices', source.indices, attributeStorage(`${name}_indices`));
        return `{ ${property('values', values)}, ${property('indices', indices)}, dims: [${source.dims.join(', ')}] }`;
      }
    }
  }
}

function property(name: string, value: string): string {
  if (name === value) return name;
  return `${isIdentifier(name) ? name : JSON.stringify(name)}: ${value}`;
}

/** A few sizes where a shape is wanted, as a list. */
function shapeList({ type, dims, elements }: Source): string | undefined {
  if (type !== 'int64' || dims.length !== 1 || elements.kind !== 'list' || elements.list.length !== dims[0])
    return undefined;
  if (!elements.list.every((value) => Number.isSafeInteger(Number(value)))) return undefined;
  return listLines('[', elements.list.map(String), ']', '');
}

/** The program for a call. */
export function typescriptCode(draft: CallDraft): string {
  const statements = new Statements();
  const method = methodOf(draft);
  const { inputs: names } = callNames(draft, 0);
  const inputs = draft.inputs.map((input, i) => {
    if (input === null) return 'null';
    const source = sourceOf(input);
    const list = method?.takesShape(i) ? shapeList(source) : undefined;
    return list ?? statements.tensor(names[i] as string, source, inputStorage(draft, i));
  });
  const attributes = attributesOf(draft).map(([name, source]) => property(name, statements.attribute(name, source)));
  const options = draft.opset === newestOpset ? [] : [`{ opset: ${draft.opset} }`];
  const attributeList =
    attributes.length > 0
      ? [`{ ${attributes.join(', ')} }`]
      : options.length > 0 && (method === undefined || method.hasAttributes)
        ? ['{}']
        : [];
  const given = method === undefined || method.takesList ? [`[${inputs.join(', ')}]`] : inputs;
  const called = [...given, ...attributeList, ...options].join(', ');
  const call = method ? `ops.${method.name}(${called})` : `ops.run(${JSON.stringify(draft.operator)}, ${called})`;
  return [
    ...(statements.needsFiles ? [`import { readFile } from 'node:fs/promises';`] : []),
    `import { load } from 'broadloom';`,
    '',
    ...(statements.needsRandom ? [randomFunction(true)] : []),
    'const ops = await load();',
    ...statements.lines,
    ...(method && !method.givesList
      ? [`const output = ${call};`, 'console.log(String(output));']
      : [`for (const output of ${call}) console.log(String(output));`]),
    '',
  ].join('\n');
}
