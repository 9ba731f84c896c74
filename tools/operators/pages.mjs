// The pages of operators on the documents' site (tools/docs.mjs), as Markdown: signature, inputs, outputs, attributes, versions and
// examples, from the schemas, the words and the declarations. The code of examples runs while a page is written, and its results are
// what it printed.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '../../docs/reference/node_modules/typescript/lib/typescript.js';
import { operatorExamples } from '../models/examples.mjs';
import { root } from '../run.mjs';
import { dtypeRows } from '../tables.mjs';
import { attributeTexts } from './attributes.mjs';
import { describe } from './description.mjs';
import { operatorGroups, operatorWords } from './words.mjs';

/** Where the pages are, from the project's folder: a file for each operator that runs. */
export const pagesFolder = 'build/operators';

/** The signatures of each method, by its name: as they are declared, a parameter on each line where they are long. */
function signaturesByMethod() {
  const found = new Map();
  for (const name of ['operators.generated.ts', 'constants.ts']) {
    const text = readFileSync(join(root, 'js/src/runtime', name), 'utf8');
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
    const methods = file.statements
      .filter((node) => ts.isInterfaceDeclaration(node) && /^(Typed|Constant)Operators$/.test(node.name.text))
      .flatMap(({ members }) => [...members]);
    for (const method of methods) {
      const list = found.get(method.name.text) ?? [];
      found.set(method.name.text, [...list, signatureText(method)]);
    }
  }
  return found;
}

function signatureText({ name, typeParameters = [], parameters, type }) {
  const texts = (nodes) => nodes.map((node) => node.getText().replace(/\s*\/\*\*.*?\*\/\s*/gs, ' '));
  const generics = typeParameters.length === 0 ? '' : `<${texts(typeParameters).join(', ')}>`;
  const [head, given, end] = [`${name.text}${generics}(`, texts(parameters), `): ${type.getText()};`];
  const line = `${head}${given.join(', ')}${end}`;
  return line.length <= 80 ? line : `${head}\n${given.map((one) => `  ${one},\n`).join('')}${end}`;
}

const fenced = (language, code) => `\`\`\`${language}\n${code}\n\`\`\``;
const code = (text) => `\`${text}\``;
const allTypes = dtypeRows.map(({ name }) => name);

/** The names of types, or of those that are missing where these are fewer. */
function typeList(types) {
  const missing = allTypes.filter((name) => !types.includes(name));
  if (missing.length === 0) return 'all types';
  return missing.length < 8 ? `all types but ${missing.join(', ')}` : types.join(', ');
}

function signatureSection({ inputs }, signatures) {
  const last = signatures.at(-1);
  const others = signatures.slice(0, -1);
  const optional = inputs.some((input) => input.optional)
    ? ' An optional input that is left out between others is `null`.'
    : '';
  const more =
    others.length === 0
      ? []
      : [
          `<details><summary>All ${signatures.length} signatures</summary>`,
          fenced('ts', signatures.join('\n')),
          '</details>',
        ];
  const linked = ['TensorLike', 'Perhaps', 'DimsLike', 'OneType', 'OperatorOptions'].filter((name) =>
    last.includes(name),
  );
  const types = `Types of the package: ${linked.map((name) => `{@link broadloom.${name} | ${name}}`).join(', ')}.`;
  return ['## Signature', fenced('ts', last), `${types}${optional}`, ...more];
}

function parameterList(title, rows, words) {
  if (rows.length === 0) return [];
  const lines = rows.map(
    ({ name, notes, types }) =>
      `- **${name}**${notes === '' ? '' : ` (${notes})`}: ${words[name]} Types: ${typeList(types)}.`,
  );
  return [`## ${title}`, lines.join('\n')];
}

const notesOf = ({ optional, variadic }) =>
  [optional && 'optional', variadic && 'any number'].filter(Boolean).join(', ');

function attributeSection(it) {
  const texts = attributeTexts(it);
  if (texts.length === 0) return [];
  return ['## Attributes', texts.map(({ name, type, text }) => `- **${name}**: ${code(type)}. ${text}`).join('\n')];
}

const typesIn = ({ type_constraints }) => Object.values(type_constraints).flat().map(typeName);
const nameOf = new Map(dtypeRows.map(({ onnxName, name }) => [onnxName.toLowerCase(), name]));
const typeName = (onnxName) => nameOf.get(onnxName.toLowerCase()) ?? onnxName;
const inOrder = (types) => allTypes.filter((name) => types.includes(name));

/** How the schema of a version differs from the one before it, a sentence for each kind of fact that is not `told`. */
function changesOf(version, before, told) {
  const named = (label, names) =>
    names.length === 0 || names.every((name) => told.includes(name)) ? [] : [`${label}: ${names.join(', ')}.`];
  const missing = (rows, others) =>
    rows.filter(({ name }) => !others.some((other) => other.name === name)).map(({ name }) => name);
  const lists = ['attributes', 'inputs', 'outputs'].flatMap((list) => [
    ...named(`New ${list}`, missing(version[list], before[list])),
    ...named(`Removed ${list}`, missing(before[list], version[list])),
  ]);
  const changed = version.attributes.filter((row) => {
    const old = before.attributes.find(({ name }) => name === row.name);
    return old !== undefined && JSON.stringify(old) !== JSON.stringify(row);
  });
  const [types, old] = [typesIn(version), typesIn(before)];
  return [
    ...lists,
    ...named(
      'Changed attributes',
      changed.map(({ name }) => name),
    ),
    ...named('New types', inOrder(types.filter((name) => !old.includes(name)))),
    ...named('Removed types', inOrder(old.filter((name) => !types.includes(name)))),
  ];
}

function versionSection({ versions, words }) {
  const lines = versions.map((version, i) => {
    const told = words.versions?.[version.since_version] ?? '';
    const changes = i === 0 ? [] : changesOf(version, versions[i - 1], told);
    const standard = i === 0 ? 'The first version.' : 'No change of attributes, parameters or types.';
    return `- **${version.since_version}**: ${[told, ...changes].join(' ').trim() || standard}`;
  });
  const how = `A call has the newest version, unless its options name an opset: ${code(`{ opset: ${versions[0].since_version} }`)}.`;
  return ['## Versions', ...(versions.length > 1 ? [how] : []), lines.reverse().join('\n')];
}

const quotedText = (text) => (/['\\\n]/.test(text) ? JSON.stringify(text) : `'${text}'`);

/** The examples' JSON has numbers that JSON lacks as strings, and whole numbers that JavaScript rounds. */
function elementText(value, type) {
  if (typeof value !== 'string') return String(value);
  if (type !== 'string' && /^(-?Infinity|NaN)$/.test(value)) return value;
  return /int64$/.test(type) ? `${value}n` : quotedText(value);
}

/** An expression for a value of an example: a tensor, or the value of an attribute. */
function expressionOf(value) {
  if (Array.isArray(value)) return `[${value.map(expressionOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return elementText(value);
  const elements = value.data.map((one) => elementText(one, value.type));
  return `ops.tensor('${value.type}', [${elements.join(', ')}], [${value.dims.join(', ')}])`;
}

/** The program of an example: its inputs by their names, and the call. */
function programOf({ method, inputs, variadic }, example) {
  const given = example.inputs.map((value, i) => {
    if (value === null || value === undefined) return { name: 'null' };
    const input = inputs[Math.min(i, inputs.length - 1)];
    const name = input.variadic ? `${input.name}${i - inputs.length + 2}` : input.name;
    return { name, line: `const ${name} = ${expressionOf(value)};` };
  });
  const names = given.map(({ name }) => name);
  const first = variadic ? inputs.length - 1 : names.length;
  const operands = variadic ? [...names.slice(0, first), `[${names.slice(first).join(', ')}]`] : names;
  const attributes = Object.entries(example.attributes ?? {}).map(([name, value]) => `${name}: ${expressionOf(value)}`);
  const settings = attributes.length === 0 ? [] : [`{ ${attributes.join(', ')} }`];
  const lines = given.flatMap(({ line }) => line ?? []);
  return { lines, call: `ops.${method}(${[...operands, ...settings].join(', ')})` };
}

/** An example as a block of code with its results. */
function exampleBlock(ops, it, example) {
  const { lines, call } = programOf(it, example);
  const results = ops.scope(() => {
    const made = new Function('ops', `${lines.join('\n')}\nreturn ${call};`)(ops);
    return (it.several ? made : [made]).map(String);
  });
  const names = it.versions.at(-1).outputs.map(({ name }) => name);
  const printed = results.map((text, i) => (it.several ? `${names[i] ?? names.at(-1)}: ${text}` : text));
  const comments = printed
    .join('\n')
    .split('\n')
    .map((line) => `// ${line}`.trimEnd());
  return fenced('js', [...lines, `${call};`, ...comments].join('\n'));
}

const countOf = ({ inputs, outputs = [] }) =>
  [...inputs, ...outputs].reduce((sum, value) => sum + (value?.data?.length ?? 0), 0);
const fits = (example) => example.opset === undefined && countOf(example) <= 60;

function callList({ all: { lines = {} } }) {
  const rows = Object.entries({ Broadloom: lines.javascript, NumPy: lines.numpy, PyTorch: lines.torch });
  return rows.flatMap(([name, line]) => (line ? `- ${name}: ${code(line)}` : [])).join('\n');
}

function exampleSection(ops, it, examples) {
  const { words, all } = it;
  const small = examples.filter(fits);
  const told = small.filter(({ name }) => words.examples?.[name] !== undefined);
  const chosen = [...new Set([...told, ...small])].slice(0, 3);
  const first = all.call ? [{ name: '', ...all.call }] : [];
  const blocks = [...first, ...chosen].flatMap((example) => [
    words.examples?.[example.name] ?? '',
    exampleBlock(ops, it, example),
  ]);
  return ['## Examples', ...blocks];
}

function moreSection({ operator, all }) {
  const same = Object.keys(operatorWords).filter(
    (name) => operatorWords[name].group === all.group && name !== operator,
  );
  const group = operatorGroups.find(({ name }) => name === all.group).en;
  const names = all.aliases.filter((name) => /^[\x20-\x7e]+$/.test(name));
  return [
    '## See also',
    [
      `- Other names: ${names.map(code).join(', ')}`,
      ...(same.length === 0 ? [] : [`- ${group}: ${same.map((name) => `[${name}](${name}.md)`).join(', ')}`]),
      `- [ONNX's text](https://onnx.ai/onnx/operators/onnx__${operator}.html)`,
    ].join('\n'),
  ];
}

function pageOf(ops, operator, signatures, examples) {
  const all = operatorWords[operator];
  const it = { ...describe(operator, all), all };
  const { method, words, inputs, versions } = it;
  const outputs = versions
    .at(-1)
    .outputs.map((row) => ({ ...row, variadic: row.option === 'Variadic', optional: false }));
  const typesOf = ({ type }) => inOrder((versions.at(-1).type_constraints[type] ?? [type]).map(typeName));
  return [
    `# ${operator}`,
    words.summary,
    `The method is ${code(`ops.${method}`)}. [Its lesson in the playground](playground:#/operators/${operator}) runs it on your own numbers.`,
    callList(it),
    ...words.details,
    ...exampleSection(ops, it, examples),
    ...signatureSection(it, signatures.get(method)),
    ...parameterList(
      'Inputs',
      inputs.map((input) => ({ name: input.schemaName, notes: notesOf(input), types: input.types })),
      words.inputs,
    ),
    ...parameterList(
      'Outputs',
      outputs.map((row) => ({ name: row.name, notes: notesOf(row), types: typesOf(row) })),
      words.outputs,
    ),
    ...attributeSection(it),
    ...versionSection(it),
    ...moreSection(it),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Writes the pages of all operators that run. */
export async function writeOperatorPages() {
  const { load } = await import('../../dist/index.js');
  const ops = await load();
  const signatures = signaturesByMethod();
  const examples = operatorExamples(ops);
  const folder = join(root, pagesFolder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name } of ops.operators())
    writeFileSync(
      join(folder, `${name}.md`),
      `${pageOf(
        ops,
        name,
        signatures,
        examples.filter(({ operator }) => operator === name),
      )}\n`,
    );
}
