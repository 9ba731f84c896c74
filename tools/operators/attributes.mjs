// The interfaces of attributes: each attribute with its sentence, its default, and the opsets that have it.
import { dtypeRows as dtypes } from '../tables.mjs';
import { quoted } from './description.mjs';

const typeNames = {
  INT: 'number | bigint | boolean',
  FLOAT: 'number',
  STRING: 'string',
  TENSOR: 'TensorLike',
  SPARSE_TENSOR: 'SparseTensorLike',
  INTS: 'number | bigint | readonly (number | bigint)[] | IntegerArray',
  FLOATS: 'readonly number[] | Float32Array',
  STRINGS: 'readonly string[]',
};

/** The type of an attribute. `to` is the type parameter that it names. */
export const typeOf = ({ type, choices, isDataType, to = 'DataType' }) =>
  isDataType ? `${to} | number` : ((choices && quoted(choices)) ?? typeNames[type]);

const code = (value) => `\`${value}\``;

function defaultOf({ default: value, isDataType, type }) {
  const named = isDataType && dtypes[value - 1]; // 0 names none
  if (named) return code(quoted([named.name]));
  return code(type === 'STRING' ? quoted([value]) : value);
}

/**
 * The statements of versions about an attribute, oldest first: the opsets from `since` up to `until` (the newest version has no
 * end), and its row.
 */
function historyOf(name, versions) {
  const history = [];
  for (const [i, { since_version: since, attributes }] of versions.entries()) {
    const row = attributes.find((attribute) => attribute.name === name);
    if (row === undefined) continue;
    const next = versions[i + 1]?.since_version;
    const last = history.at(-1);
    if (last?.until === since - 1 && JSON.stringify(last.row) === JSON.stringify(row)) last.until = next && next - 1;
    else history.push({ since, until: next && next - 1, row });
  }
  return history;
}

const opsets = ({ since, until }) =>
  until === undefined ? `opset ${since} on` : since === until ? `opset ${since}` : `opsets ${since} to ${until}`;

/** Whether it must be given, or else its default. */
function needOf({ required, ...row }) {
  if (required) return 'required';
  return row.default === undefined ? 'no default' : `default ${defaultOf(row)}`;
}

const upper = (text) => text[0].toUpperCase() + text.slice(1);

/** The sentences after the description: the rules of the newest version that has the attribute, then the rules of older ones. */
function factsOf(history) {
  const newest = history.at(-1);
  const facts = [`${upper(needOf(newest.row))}.`];
  for (const before of history.slice(0, -1).reverse()) {
    if (needOf(before.row) !== needOf(newest.row)) facts.push(`In ${opsets(before)}: ${needOf(before.row)}.`);
    const texts = ({ choices = [] }) => choices.map((text) => code(quoted([text])));
    const gone = texts(before.row).filter((text) => !texts(newest.row).includes(text));
    const added = texts(newest.row).filter((text) => !texts(before.row).includes(text));
    if (gone.length > 0) facts.push(`In ${opsets(before)} also ${gone.join(', ')}.`);
    if (added.length > 0) facts.push(`Not before opset ${before.until + 1}: ${added.join(', ')}.`);
  }
  const { since } = history[0];
  return [...facts, `${newest.until === undefined ? 'From ' : 'In '}${opsets({ since, until: newest.until })}.`];
}

/** The sentence of an attribute, and its facts. */
const textOf = (name, { words, versions }) =>
  `${words.attributes[name]} ${factsOf(historyOf(name, versions)).join(' ')}`;

/** A property with its comment. */
function property({ name, required, type }, it) {
  const text = textOf(name, it).replaceAll('*/', '*\\/');
  return `  /** ${text} */\n  ${name}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'};`;
}

export const linkOf = (operator) =>
  `[${operator}](https://github.com/onnx/onnx/blob/main/docs/Operators.md#${operator})`;

const nameOf = ({ operator }) => `${operator}Attributes`;

/** The interface of an operator's attributes, with the type parameter that names the output's type. */
export const attributesType = (it) => (it.attributes.some(({ to }) => to === 'To') ? `${nameOf(it)}<To>` : nameOf(it));

/** The interface of the attributes of an operator's newest version, if it has any. */
export function interfaceOf(it) {
  const { operator, attributes } = it;
  if (attributes.length === 0) return [];
  const parameter = attributes.some(({ to }) => to === 'To') ? '<To extends DataType = DataType>' : '';
  const properties = attributes.map((attribute) => property({ ...attribute, type: typeOf(attribute) }, it));
  return [
    `/** Attributes of ${linkOf(operator)}. */`,
    `export interface ${nameOf(it)}${parameter} {`,
    ...properties,
    '}',
    '',
  ];
}

/** An attribute as all versions together take it. */
function widest(name, versions) {
  const found = versions.map(({ attributes }) => attributes.find((attribute) => attribute.name === name));
  const rows = found.filter((row) => row !== undefined);
  const types = new Set(rows.flatMap((row) => typeOf(row).split(' | ')));
  // Editors go on to offer the other texts.
  const known = types.size > 1 ? [...types].map((type) => (type === 'string' ? '(string & {})' : type)) : [...types];
  return { name, required: found.every((row) => row?.required), type: known.join(' | ') };
}

const namesOf = (versions) => new Set(versions.flatMap(({ attributes }) => attributes.map(({ name }) => name)));

/** The attributes of all versions, each with its type and text; those of the newest version come first. */
export const attributeTexts = (it) =>
  [...namesOf(it.versions.toReversed())].map((name) => ({ ...widest(name, it.versions), text: textOf(name, it) }));

/**
 * The attributes that only older versions take, or take in another way: their interface, and the type of the attributes of all
 * versions.
 */
export function earlierOf(it) {
  const { operator, versions } = it;
  const now = new Map(versions.at(-1).attributes.map((row) => [row.name, { ...row, type: typeOf(row) }]));
  const names = namesOf(versions);
  if (names.size === 0) return { lines: [], type: 'NoAttributes' };
  const other = [...names]
    .map((name) => widest(name, versions))
    .filter(({ name, type, required }) => now.get(name)?.type !== type || now.get(name)?.required !== required);
  if (other.length === 0) return { lines: [], type: nameOf(it) };
  const name = `Earlier${nameOf(it)}`;
  const lines = [
    `/** Attributes of versions of ${linkOf(operator)} before the newest, which has them no more, or takes less. */`,
    `export interface ${name} {`,
    ...other.map((attribute) => property(attribute, it)),
    '}',
    '',
  ];
  const replaced = other.filter((attribute) => now.has(attribute.name)).map((attribute) => attribute.name);
  const kept = replaced.length === 0 ? nameOf(it) : `Omit<${nameOf(it)}, ${quoted(replaced)}>`;
  return { lines, type: replaced.length === now.size ? name : `${kept} & ${name}` };
}
