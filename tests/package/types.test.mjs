// The declarations of the package as editors read them: a comment at everything public, and errors where the mistake is.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { describe } from '../../tools/operators/description.mjs';
import { operatorWords } from '../../tools/operators/words.mjs';
import { root } from '../../tools/run.mjs';
import { someOf } from '../depth.mjs';
import { installed, project } from './helpers/installed.mjs';

const tool = createRequire(join(root, 'tests/consumers/package.json'));
const ts = tool('typescript');
/** The oldest that the types are for. */
const oldest = tool('typescript-5.7');

const options = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
};

writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');

/** A program of one file, which imports the installed package. */
function compiled(name, text, { compiler = ts, ...more } = {}) {
  const file = join(project, name);
  writeFileSync(file, text);
  const program = compiler.createProgram([file], { ...options, ...more });
  return { program, source: program.getSourceFile(file) };
}

/** The messages of a compiler about programs. */
const told = (diagnostics) =>
  diagnostics.map(
    ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  );

const everyEntry = `import { load, type Runtime } from 'broadloom';
import { load as loadInline } from 'broadloom/inline';
import { classify } from 'broadloom/tasks';
import onnxruntime, { InferenceSession } from 'broadloom/onnxruntime';
import { register } from 'broadloom/ort';
import 'broadloom/worker';
export const session: typeof InferenceSession = onnxruntime.InferenceSession;
export const same: typeof load = loadInline;
export const runtime: Promise<Runtime> = load();
// @ts-expect-error: no such option
load({ opsett: 13 });
// @ts-expect-error: classify takes a runtime
classify(1);
export { register };
`;

const resolutions = {
  'node10, of TypeScript 5.7': {
    compiler: oldest,
    module: oldest.ModuleKind.CommonJS,
    moduleResolution: oldest.ModuleResolutionKind.Node10,
    esModuleInterop: true,
  },
  'nodenext, of TypeScript 5.7': { compiler: oldest },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  'nodenext, in a file of CommonJS': { file: 'entries.cts' },
  'nodenext, without the types of browsers and of Node': { lib: ['lib.es2022.d.ts'], skipLibCheck: false },
};
for (const [title, { file = 'entries.ts', ...more }] of Object.entries(resolutions))
  test(`every entry has its types with the resolution ${title}`, () => {
    const { compiler = ts } = more;
    const { program } = compiled(file, everyEntry, more);
    assert.deepEqual(told(compiler.getPreEmitDiagnostics(program)), []);
  });

/** The declarations that `file` of the package and what it imports need. */
function reachable(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?'(\..+?)\.js'/g))
    reachable(join(dirname(file), `${name}.d.ts`), found);
  return found;
}

const isMember = (node) =>
  ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || ts.isAccessor(node) || ts.isMethodSignature(node);
const isCall = (node) => ts.isMethodDeclaration(node) || ts.isMethodSignature(node) || ts.isFunctionDeclaration(node);
const isType = (node) =>
  ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node) || ts.isTypeAliasDeclaration(node);

/** Tables of constants, the globals of hosts, and conditions on types do not count as members. */
const isSkipped = (node) =>
  ts.isVariableStatement(node) ||
  ts.isIntersectionTypeNode(node) ||
  ts.isConditionalTypeNode(node) ||
  node.name?.text === 'global' ||
  (node.name !== undefined && ts.isPrivateIdentifier(node.name)) ||
  (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword));

/** Adds what has no comment, in all types of a file, to a list. */
function addUncommented(node, path, found) {
  if (isSkipped(node)) return;
  const own = node.name === undefined ? path : `${path}.${node.name.getText()}`;
  if (isMember(node) || isCall(node) || isType(node)) {
    found.count++;
    if (ts.getJSDocCommentsAndTags(node).length === 0) found.lacking.push(own);
    if (isCall(node) && /Errors are those/.test(node.getFullText())) found.lacking.push(`${own}: errors`);
  }
  ts.forEachChild(node, (child) => addUncommented(child, own, found));
}

test('every type, function and member of the declarations has a comment that editors show', () => {
  const files = new Set();
  for (const entry of ['index', 'tasks', 'onnxruntime', 'ort'])
    reachable(join(installed, `dist/cjs/${entry}.d.ts`), files);
  const found = { count: 0, lacking: [] };
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true);
    addUncommented(source, relative(installed, file), found);
  }
  assert.ok(found.count > 1500, `${found.count} members`);
  assert.deepEqual(found.lacking, []);
});

const operators = Object.entries(operatorWords)
  .filter(([operator]) => !['Constant', 'ConstantOfShape', 'Range'].includes(operator))
  .map(([operator, words]) => describe(operator, words));

/** Arguments for the first `count` inputs: tensors whose types are known, or known only when the program runs. */
function argumentsOf({ inputs, variables }, count, isKnown, isFlat = false) {
  const tensorOf = ({ variable, types }) => {
    if (!isKnown) return 'unknown';
    const ofVariable = inputs.find((input) => variables.has(variable) && input.variable === variable);
    return `of<'${(ofVariable?.types ?? types)[0]}'>()`;
  };
  return inputs.slice(0, count).map((input) => {
    if (input.optional && !isKnown) return 'null';
    return input.variadic && !isFlat ? `[${tensorOf(input)}]` : tensorOf(input);
  });
}

/** Calls of all operators that are wrong in one place, with that place between marks. */
function* wrongCalls() {
  for (const it of someOf(operators, 4)) {
    const { operator, method, inputs, attributes } = it;
    const required = inputs.filter(({ optional }) => !optional).length;
    const wrong = '{ noSuchName: 1 }';
    for (const isKnown of [true, false]) {
      // Where attributes are required, a call with fewer inputs of unknown type has two overloads left, and TypeScript marks the method.
      const least = !isKnown && attributes.some((attribute) => attribute.required) ? inputs.length : required;
      for (let count = least; count <= inputs.length; count++) {
        yield `ops.${method}(${[...argumentsOf(it, count, isKnown), wrong].join(', ')});`;
      }
      const all = argumentsOf(it, inputs.length, isKnown);
      const needed = attributes.some((attribute) => attribute.required);
      if (attributes.length > 0)
        yield `ops.${method}(${[...all, needed ? '{} as never' : 'undefined', wrong].join(', ')});`;
      if (attributes.length > 0)
        yield `ops.run('${operator}', [${argumentsOf(it, inputs.length, isKnown, true).join(', ')}], ${wrong});`;
    }
  }
}

test('TypeScript marks a wrong attribute or option itself, of every operator and however many inputs there are', () => {
  const calls = [...wrongCalls()];
  assert.ok(calls.length > 100, `${calls.length} calls`);
  const head = `import type { DataType, Runtime, Tensor } from 'broadloom';
declare const ops: Runtime;
declare const unknown: Tensor;
declare function of<T extends DataType>(): Tensor<T>;
`;
  const { program, source } = compiled('calls.ts', head + calls.join('\n'));
  const first = head.split('\n').length - 1;
  const unmarked = new Set(calls);
  for (const { start } of program.getSemanticDiagnostics(source)) {
    const { line, character } = source.getLineAndCharacterOfPosition(start);
    const call = calls[line - first];
    if (call?.lastIndexOf('noSuchName') === character) unmarked.delete(call);
  }
  assert.deepEqual([...unmarked], []);
});
