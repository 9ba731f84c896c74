// npm run new-operator -- SwiGLU: the three files of an operator of ONNX's default domain, from its schema and from what is known of
// it already: src/ops, tests/ops and data/operators. Their tests fail where something is to be written.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { methodName } from '../shared/method-name.js';
import { foreignWords, operatorWords } from './operators/words.mjs';
import { root, run } from './run.mjs';
import { dtypeRows } from './tables.mjs';
import { refuse, UsageError } from './usage.mjs';

const { rows } = JSON.parse(readFileSync(join(root, 'data/schemas.json'), 'utf8'));

const quoted = (text) => `"${text}"`;
const fromOnnx = (name) => dtypeRows.find(({ onnxName }) => onnxName.toLowerCase() === name.toLowerCase());

// ---- src/ops ----

/** A number of C++, as a float reads it. */
const numberText = (value, type) => (type === 'FLOAT' && !Number.isInteger(value) ? `${value}F` : `${value}`);

function attributeText({ name, type, required, default: standard, choices, isDataType }) {
  if (isDataType) return `data_type(${quoted(name)}, ${required})`;
  if (choices !== undefined && !required) {
    const words = [standard, ...choices.filter((one) => one !== standard)];
    return `one_of(${quoted(name)}, ${quoted(words.join(' '))})`;
  }
  if (required) return `required(${quoted(name)}, ${type})`;
  if (typeof standard === 'number') return `with_default(${quoted(name)}, ${type}, ${numberText(standard, type)})`;
  return `{${quoted(name)}, ${type}}`;
}

function parameterText({ name, type, option }, variables) {
  const its = variables.includes(type) ? type : `Dtype::${fromOnnx(type)?.constant ?? type}`;
  return `{${quoted(name)}, ${its}${option === 'Single' ? '' : `, ${option}`}}`;
}

const listText = (parts) => `{${parts.join(', ')}}`;
const typesText = (names) =>
  names
    .map((name) => fromOnnx(name)?.constant)
    .filter(Boolean)
    .join(' | ');

/** The rows of all versions. Versions that differ in types alone share a signature. */
function rowsText(versions) {
  const lines = [];
  const signatures = new Map();
  const table = versions.map(({ since_version: since, attributes, inputs, outputs, type_constraints: types }) => {
    const variables = Object.keys(types);
    const key = JSON.stringify([attributes, inputs, outputs, variables]);
    if (!signatures.has(key)) {
      signatures.set(key, `signature_${since}`);
      const has = attributes.length > 0;
      if (has)
        lines.push(`constexpr AttributeSpec attributes_${since}[] = ${listText(attributes.map(attributeText))};`);
      for (const [kind, list] of Object.entries({ inputs, outputs })) {
        const parameters = list.map((one) => parameterText(one, variables));
        lines.push(`constexpr Parameter ${kind}_${since}[] = ${listText(parameters)};`);
      }
      const parts = [has ? `attributes_${since}` : '{}', `inputs_${since}`, `outputs_${since}`, listText(variables)];
      lines.push(`constexpr Signature signature_${since}{${parts.join(', ')}};`);
    }
    return `    {${since}, &${signatures.get(key)}, ${listText(Object.values(types).map(typesText))}},`;
  });
  return [...lines, 'constexpr OperatorVersion versions[] = {', ...table, '};'].join('\n');
}

function sourceText(name, id, versions, summary) {
  const table = rowsText(versions);
  const enums = [
    ...(table.includes('AttributeSpec') ? ['AttributeType'] : []),
    ...(/Optional|Variadic/.test(table) ? ['Option'] : []),
    ...['TypeVariable', 'Dtype'],
  ];
  return `// ${name}: ${summary} ONNX: onnx/defs, ${name}.
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"

namespace broadloom {
namespace {

${enums.map((one) => `using enum ${one};`).join('\n')}

${table}

// To be written: the dims of the outputs (Operator::prepare in ops/call/operator.h).
Status prepare(Call&) { return fail(Code::InvalidArgument, "its dims are to be written"); }

// To be written: the elements of the outputs. An elementwise operator has \`elements\` in place of it (ops/formula.h).
Status compute(Call&) { return fail(Code::InvalidArgument, "its elements are to be written"); }

}  // namespace

BROADLOOM_OPERATOR(op, ${id}){
    .name = ${quoted(name)},
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
};

}  // namespace broadloom
`;
}

// ---- tests/ops ----

function testText(name, id, { inputs, outputs }) {
  const needed = inputs.filter(({ option }) => option !== 'Optional');
  const operands = needed.map((_, i) => `x${i}`);
  return `#include "support/before_run.h"
#include "support/calls.h"
#include "support/numbers.h"

namespace broadloom::op {
extern const Operator ${id};
}

namespace broadloom::test::${id}_test {
namespace {

// To be written: a sentence for each fact. One value is computed by hand, every type, every version, empty tensors, wrong calls.
TEST(${name}, GivesWhatOnnxSays) {
${operands.map((x) => `  const Tensor ${x} = floats({2}, {1, 2});`).join('\n')}
  const Tensor result = must(call(${id}, {${operands.map((x) => `&${x}`).join(', ')}}));
  EXPECT_EQ(elements<float>(result), (std::vector<float>{}));  // '${outputs[0].name}'
}

TEST_F(BeforeRun, ${name}KnowsItsDims) {
  EXPECT_EQ(sizes(${id}, {${needed.map(() => 'known({n(), 3})').join(', ')}}, {}, 1), "to be written");
}

}  // namespace
}  // namespace broadloom::test::${id}_test
`;
}

// ---- data/operators ----

/** Empty texts, which tests refuse. */
const blank = (names) => Object.fromEntries([...names].sort().map((name) => [name, '']));

function wordsText(name, versions) {
  const newest = versions.at(-1);
  const { group, aliases, en, zh } = foreignWords[name];
  const namesOf = (kind) => blank(new Set(versions.flatMap((version) => version[kind].map((one) => one.name))));
  const texts = ({ summary }) => ({
    summary,
    details: [''],
    inputs: namesOf('inputs'),
    outputs: namesOf('outputs'),
    attributes: namesOf('attributes'),
  });
  const needed = newest.inputs.filter(({ option }) => option !== 'Optional');
  const typeOf = ({ type }) => {
    const allowed = (newest.type_constraints[type] ?? [type]).map((one) => fromOnnx(one)?.name);
    return allowed.includes('float32') ? 'float32' : allowed[0];
  };
  const operands = needed.map((one) => ({ type: typeOf(one), dims: [2], data: [1, 2] }));
  const lines = {
    javascript: `ops.${methodName(name)}(${needed.map((one) => one.name).join(', ')})`,
    numpy: '',
    torch: '',
  };
  const words = { group, aliases, call: { inputs: operands, attributes: {} }, lines, en: texts(en), zh: texts(zh) };
  return `${JSON.stringify(words, undefined, 2)}\n`;
}

// ---- The command ----

function namesOfCaller(args) {
  const [name, ...more] = args;
  const versions = rows.filter(({ operator }) => operator === name);
  if (name === undefined || more.length > 0) throw new UsageError('wanted one name: npm run new-operator -- SwiGLU');
  if (versions.length === 0) throw new UsageError(`ONNX has no operator '${name}' (data/schemas.json)`);
  if (name in operatorWords) throw new UsageError(`${name} has words already: data/operators/${name}.json`);
  const id = run('cmake', [`-DOPERATOR=${name}`, '-P', 'tools/build/operators.cmake'], { quiet: true }).trim();
  return { name, id, versions };
}

/** The folder of a group, in src/ops and in tests/ops. */
const folderOf = (group) => (['math', 'logic', 'bits'].includes(group) ? 'arithmetic' : group);

try {
  const { name, id, versions } = namesOfCaller(process.argv.slice(2));
  const folder = folderOf(foreignWords[name].group);
  const { summary } = foreignWords[name].en;
  const files = {
    [`src/ops/${folder}/${id}.cpp`]: sourceText(name, id, versions, summary),
    [`tests/ops/${folder}/${id}_test.cpp`]: testText(name, id, versions.at(-1)),
    [`data/operators/${name}.json`]: wordsText(name, versions),
  };
  const there = Object.keys(files).find((file) => existsSync(join(root, file)));
  if (there !== undefined) throw new UsageError(`${there} is there already`);
  const known = join(root, `data/foreign/${name}.json`);
  if (existsSync(known)) renameSync(known, join(root, `data/operators/${name}.json`));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const written = Object.keys(files);
  run('clang-format', ['-i', ...written.filter((file) => file.endsWith('.cpp'))]);
  run('node_modules/.bin/biome', ['format', '--write', ...written.filter((file) => file.endsWith('.json'))], {
    quiet: true,
  });
  console.log(
    `${written.join('\n')}\nCONTRIBUTING.md, Add an operator, tells what goes there. npm run t -- ${name} tells what is missing.`,
  );
} catch (error) {
  refuse(error);
}
