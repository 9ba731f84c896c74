// Help and version of the command, and messages for wrong usage.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { someOf } from '../depth.mjs';
import {
  model as built,
  copies,
  input,
  node,
  output,
  program,
  samples,
  start,
  withoutProgress,
  workspace,
} from './helpers.mjs';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const names = ['run', 'test', 'inspect', 'simplify', 'diff', 'op', 'operators'];
const model = join(samples, 'batch-bias.onnx');

test('--version and -v print the version of the package, also behind a command', (t) => {
  const { prints } = workspace(t);
  for (const args of [['--version'], ['-v'], ['-V'], ['run', '--version'], ['simplify', '-v']])
    assert.equal(prints(...args), `${version}\n`);
});

test('help lists the commands, and help of each has its usage line and all options in 120 columns', (t) => {
  const { prints } = workspace(t);
  const help = prints('--help');
  assert.equal(prints('help'), help);
  assert.equal(prints('-h'), help);
  for (const name of names) {
    assert.match(help, new RegExp(`^  ${name} `, 'm'));
    const about = prints(name, '--help');
    assert.match(about, new RegExp(`^usage: broadloom ${name} `, 'm'));
    assert.match(about, /--json .*\n.*-h, --help/);
    assert.equal(prints('help', name), about);
    assert.equal(prints(name, '--nonsense', '-h'), about);
    assert.ok([...help.split('\n'), ...about.split('\n')].every((line) => line.length <= 120));
  }
});

test('without a command, help is on standard error and the exit code is 2', (t) => {
  const { status, stdout, stderr } = workspace(t).broadloom();
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /usage: broadloom COMMAND/);
});

/** The arguments as a short title. */
const title = (args) => args.join(' ').replace(model, 'model.onnx').slice(0, 80);

for (const [args, says] of someOf(
  [
    [['rnu'], "no command 'rnu': did you mean 'run'?"],
    [['nonsense'], "no command 'nonsense'; there are run, test, inspect, simplify, diff, op, operators"],
    [['model.onnx'], 'write broadloom run model.onnx or broadloom inspect model.onnx'],
    [['--quiet', 'run'], "there is no option '--quiet' before the command"],
    [['run'], 'MODEL.onnx is missing'],
    [['run', model, 'b'], "'b' is one argument too many"],
    [['run', model, '--inptu', 'x'], "run has no option '--inptu': did you mean '--input'?"],
    [['simplify', model, 'y.onnx', '--overwrite-input-shape', 'x:1'], "'--overwrite-input-shape': use --shape"],
    [['simplify', model, 'y.onnx', '--check-n', '3'], "'--check-n': use --verify"],
    [['simplify', model, 'y.onnx', '--no-large-tensor'], "'--no-large-tensor': use --max-growth"],
    [['simplify', model, 'y.onnx', '--unused-output', 'y'], "'--unused-output': use --output"],
    [
      ['simplify', model, 'y.onnx', '--skip-shape-inference'],
      "'--skip-shape-inference': nothing is needed in its place",
    ],
    [
      ['run', model, '-z'],
      "run has no option '-z'; it has --input, --random, --zeros, --seed, --shape, --preset, --sample-rate, --output-dir, --format, --repeat, --profile, --json, --help",
    ],
    [['run', model, '--input'], "'-i, --input <value>' argument missing"],
    [['run', model, '--json=1'], "'--json' does not take an argument"],
    [['run', model], "an input is missing: 'x' (float32 [batch, 1, length]); write --input x=FILE"],
    [['run', model, '-i', 'x'], "--input 'x' has no name: write NAME=VALUE, such as --input x=x.npy"],
    [['run', model, '-i', '=1'], 'has no name'],
    [
      ['run', model, '-i', 'x=x.txt'],
      "'x.txt' is neither a file that ends in .npy, .pb, .json, .png, .jpg or .wav, nor JSON",
    ],
    [['run', model, '-i', 'x:flot32=[1]'], "there is no type 'flot32': did you mean 'float32'?"],
    [['run', model, '-i', 'x:double=[1]'], "there is no type 'double': did you mean 'float64'?"],
    [['run', model, '-i', 'x:torch.half=[1]'], "there is no type 'torch.half': did you mean 'float16'?"],
    [['run', model, '-i', 'x=[1', '-i', 'y=[1]'], "input 'x': '[1' is not JSON"],
    [['run', model, '-i', 'x=[[1], [2, 3]]'], 'the list is ragged: entry 1 has dims [2], those before it [1]'],
    [['run', model, '-i', 'x=["a"]'], '"a" is not an element of float32'],
    [['run', model, '-i', 'x:string=[1]'], '1 is not a string: write it in double quotes'],
    [['run', model, '-i', `x=${'['.repeat(300)}${']'.repeat(300)}`], 'lists are nested deeper than 255'],
    [['run', model, '-i', 'x={"a": 1}'], 'is not a tensor: write a list, or {"type": "float32"'],
    [['run', model, '-i', 'x=[[[1]]]', '-i', 'x=[[[1]]]'], "input 'x' is given twice"],
    [['run', model, '-i', 'x=[[[1]]]', '-i', 'y=[1]'], "no input 'y' that must be given"],
    [['run', model, '-i', 'x=[[[1]]]', '--format', 'pb'], '--format is for files: give --output-dir, too'],
    [['run', model, '-i', 'x=[[[1]]]', '-o', 'out', '--format', 'png'], "--format is 'png': write npy, pb or json"],
    [['run', model, '-i', 'x=[[[1]]]', '-o', ''], '--output-dir is empty'],
    [['diff'], 'A.onnx is missing'],
    [['diff', model], 'B.onnx is missing'],
    [['diff', '-', '-'], 'only one of the models can be -'],
    [['test', '.', '--rtol', 'x'], "--rtol is 'x': write a number from 0"],
    [['test', '.', '--atol=-1'], "--atol is '-1': write a number from 0"],
    [['op', 'Expand', '--opset', '0'], "--opset is '0': write a whole number from 1"],
    [
      ['op', 'Expand', '-i', 'input=[1]', '-i', 'shape=[2]'],
      "of 16 types: say which, such as --input 'input:float32=[1]'",
    ],
    [['op', 'Expand', '-i', 'inptu:int8=[1]'], "Expand has no input 'inptu': did you mean 'input'?"],
    [
      ['op', 'Expand', '-i', 'input:int8=[1]'],
      "input 'shape' is missing: write --input shape=FILE or --input 'shape=[1, 2]'",
    ],
    [['op', 'Shape', '-i', 'data:int8=[1]', '-a', 'start=x'], "attribute 'start' is 'x', wanted a whole number"],
    [['op', 'Shape', '-i', 'data:int8=[1]', '-a', 'start:int8=1'], "attribute 'start' is not a tensor"],
    [['op', 'Shape', '-i', 'data:int8=[1]', '-a', 'start=1', '-a', 'start=1'], "attribute 'start' is given twice"],
    [['op', 'ConstantOfShape', '-i', 'input=[1]', '-a', 'value=[1]'], "--attr 'value:float32=[1]'"],
    [['op', 'Constant', '-a', 'value_floats=["1"]'], 'wanted a list of numbers'],
    [['op', 'Constant', '-a', 'sparse_value=[1]'], 'wanted a sparse tensor in JSON'],
  ],
  3,
))
  test(`wrong usage is exit code 2, advice and a usage line: ${title(args)}`, (t) => {
    const { status, stdout, stderr } = workspace(t).broadloom(...args);
    assert.deepEqual([status, stdout], [2, '']);
    assert.ok(stderr.includes(says), stderr);
    assert.match(stderr, /\nusage: broadloom [\w.]+.*\nbroadloom .*--help tells more\n$/);
    assert.doesNotMatch(stderr, /\n {4}at /);
  });

for (const [args, says] of someOf(
  [
    [['run', 'nothing.onnx'], "cannot read 'nothing.onnx': there is no such file\n"],
    [['run', '.'], "cannot read '.': it is a folder\n"],
    [['run', `${model}/x`], 'a part of the path is not a folder\n'],
    [['run', model, '-i', 'x=nothing.npy'], "cannot read 'nothing.npy': there is no such file\n"],
    [['run', model, '-i', 'x:int8=[1]'], "input 'x' is int8, wanted float32 (INVALID_ARGUMENT)\n"],
    [['run', model, '-i', 'x={"type": "int8", "dims": [2], "data": [1]}'], "input 'x': data has 1 entry"],
    [['run', model, '-i', 'x=[[[1]]]', '-o', '/proc/none'], "cannot make the folder '/proc/none'"],
    [['run', model, '-i', 'x=[[[1]]]', '-o', '/dev/null'], "cannot make the folder '/dev/null': there is a file"],
    [
      ['run', join(samples, 'unsupported-gelu.onnx')],
      "no operator 'BiasSplitGelu' in domain 'com.microsoft': onnxruntime-web may run it (UNKNOWN_OPERATOR)\n",
    ],
    [['inspect', '/dev/null'], '(INVALID_MODEL)\n'],
    [['test', 'nothing'], "cannot read the folder 'nothing': there is no such file\n"],
    [['test', samples], 'there is no model.onnx in'],
    [['op', 'expand'], "no operator 'expand': did you mean 'Expand'? (UNKNOWN_OPERATOR)\n"],
    [
      ['op', 'TfIdfVectorizer'],
      "no operator 'TfIdfVectorizer' yet: ONNX has it since opset 9, and onnxruntime-web may run it (UNKNOWN_OPERATOR)\n",
    ],
    [['op', 'Foo'], "no operator 'Foo'; broadloom operators lists those that there are"],
    [['op', 'Expand', '--opset', '7'], 'its first version is Expand-8: write --opset 8 or more'],
    [['op', 'Expand', '-i', 'input:int8=[300]', '-i', 'shape=[1]'], 'element 0 is 300, which int8 cannot hold'],
    [['op', 'ConstantOfShape', '-i', 'input=[1000000,1000000]'], 'out of memory: 4000000000000 bytes do not fit'],
    [['operators', 'Foo'], "no operator 'Foo'"],
  ],
  3,
))
  test(`work that fails is exit code 1 and one line: ${title(args)}`, (t) => {
    const { status, stdout, stderr } = workspace(t).broadloom(...args);
    assert.deepEqual([status, stdout], [1, '']);
    assert.ok(stderr.includes(says), stderr);
    assert.equal(stderr.split('\n').length, 2);
    assert.doesNotMatch(stderr, /broadloom itself/);
  });

test('with --json an error is one document on standard output, and nothing else is printed', (t) => {
  const { broadloom } = workspace(t);
  const usage = broadloom('run', '--json');
  assert.deepEqual([usage.status, usage.stderr], [2, '']);
  assert.deepEqual(JSON.parse(usage.stdout), { error: { code: 'USAGE', message: 'MODEL.onnx is missing' } });
  const work = broadloom('run', join(samples, 'unsupported-gelu.onnx'), '--json');
  assert.deepEqual([work.status, work.stderr], [1, '']);
  const { error } = JSON.parse(work.stdout);
  assert.deepEqual(
    [error.code, error.operator, error.opset, error.node],
    ['UNKNOWN_OPERATOR', 'BiasSplitGelu', 21, 'activation'],
  );
  assert.equal(JSON.parse(broadloom('run', 'none.onnx', '--json').stdout).error.code, 'FILE');
  assert.equal(JSON.parse(broadloom('--json').stdout).error.code, 'USAGE');
  // After --, it is an argument.
  assert.equal(broadloom('run', '--', '--json').stdout, '');
});

test('names with control characters are shown by their codes, on a terminal and in JSON', (t) => {
  const { write, prints, broadloom } = workspace(t);
  write('model.onnx', copies(['\x1b[31mred\u202e\n', 'y']));
  const texts = [
    prints('inspect', 'model.onnx', '--nodes'),
    prints('inspect', 'model.onnx', '--nodes', '--json'),
    prints('run', 'model.onnx', '-i', 'x=[1]'),
    prints('run', 'model.onnx', '-i', 'x=[1]', '--json'),
    prints('run', 'model.onnx', '-i', 'x=[1]', '-o', 'out'),
    broadloom('run', 'model.onnx', '-i', '\x1b[31m=[1]').stderr,
    broadloom('op', '\x1b[31m').stderr,
    broadloom('\x1b[31m').stderr,
  ];
  for (const text of texts) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them
    assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    assert.match(text, /\\u001b\[31m/);
  }
  assert.equal(JSON.parse(texts[3]).outputs[0].name, '\x1b[31mred\u202e\n');
});

test('a message is one line, whatever line ends the names in it have', (t) => {
  const { write, broadloom } = workspace(t);
  const name = 'a\nb';
  const named = (inner) => built([...inner, input(name, 1, [name]), output('y', 1, [name])]);
  write('unread.onnx', named([node('Add', [name, 'none'], ['y'], { name })]));
  write('unknown.onnx', named([node(name, [name], ['y'], { name })]));
  write('warned.onnx', built([node('Identity', ['x'], [name]), input('x', 1, [2]), output(name, 1, [3])]));
  write('asking.onnx', named([node('Identity', [name], ['y'])]));
  write('model.onnx', copies([name]));
  const wrong = 3; // with two lines about the usage
  for (const [lines, ...args] of [
    [1, 'run', 'unread.onnx'],
    [1, 'run', 'unknown.onnx'],
    [wrong, 'run', 'asking.onnx'],
    [wrong, 'run', 'model.onnx', name],
    [wrong, 'op', 'Neg', '--opset', name],
    [1, 'op', name],
    [1, 'simplify', 'model.onnx', 'out.onnx', '--dim', `${name}=1`],
    [1, 'run', 'warned.onnx', '-i', 'x=[1, 2]'],
  ]) {
    const { stderr } = broadloom(...args);
    assert.equal(stderr.split('\n').length, lines + 1, stderr);
    assert.match(stderr, /a\\u000ab/);
  }
});

for (const args of [
  ['op', 'Identity', '-i', 'input:float32=x.json', '--json'],
  ['op', 'Identity', '-i', 'input:float32=x.json', '-o', 'out'],
  ['inspect', model, '--nodes'],
  ['diff', model, join(samples, 'zeros-like.onnx')],
  ['simplify', model, '-'],
  ['operators'],
  ['--help'],
])
  test(`where the reader of a pipe has gone, nothing is said, and the exit code is that of SIGPIPE: ${title(args)}`, async (t) => {
    const { folder, write } = workspace(t);
    write('x.json', JSON.stringify(Array(300_000).fill(0.5)));
    const child = start(folder, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.stdout.destroy();
    const status = await new Promise((resolve) => child.once('close', resolve));
    assert.deepEqual([status, withoutProgress(errors)], [141, '']);
  });

test('a full disk is an error of one line: of standard output and of files', {
  skip: !existsSync('/dev/full') && 'there is no /dev/full',
}, (t) => {
  const { folder, broadloom } = workspace(t);
  const full = (...args) => {
    const out = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', out, 'pipe'],
    });
    closeSync(out);
    return [status, withoutProgress(stderr)];
  };
  const says = 'cannot write standard output: the disk is full';
  assert.deepEqual(full('inspect', model), [1, `broadloom inspect: ${says}\n`]);
  assert.deepEqual(full('diff', model, join(samples, 'zeros-like.onnx')), [2, `broadloom diff: ${says}\n`]);
  assert.deepEqual(full('op', 'Shape', '-i', 'data:int8=[1]', '--json'), [
    1,
    `${JSON.stringify({ error: { code: 'FILE', message: says } })}\n`,
  ]);
  assert.equal(full('simplify', model, '-')[1].split('\n').at(-2), `broadloom simplify: ${says}`);
  const { status, stdout, stderr } = broadloom('simplify', model, '/dev/full');
  assert.deepEqual(
    [status, stdout, stderr],
    [1, '', "broadloom simplify: cannot write '/dev/full': the disk is full\n"],
  );
});

test('a terminal shows the beginning and the end of long names; a pipe and JSON have all of them', {
  skip: spawnSync('script', ['--version']).status !== 0 && 'there is no script',
}, (t) => {
  const { folder, write, prints } = workspace(t);
  const long = `first${'x'.repeat(200)}last`;
  write('model.onnx', copies([long, 'y']));
  const { stdout } = spawnSync(
    'script',
    ['-qec', `stty cols 60; '${process.execPath}' '${program}' inspect model.onnx --nodes`, '/dev/null'],
    { cwd: folder, encoding: 'utf8' },
  );
  const lines = stdout.replaceAll('\r', '').split('\n');
  assert.ok(lines.filter((line) => /firstx+\.\.\.x+last/.test(line)).length >= 2, stdout);
  assert.ok(!stdout.includes(long));
  assert.ok(
    lines.every((line) => line.length <= 60 || line.includes(': Identity(')),
    stdout,
  );
  assert.ok(prints('inspect', 'model.onnx', '--nodes').includes(long));
  assert.ok(prints('inspect', 'model.onnx', '--json').includes(long));
});

test('where nobody reads the messages, the work goes on to its end', async (t) => {
  const { folder } = workspace(t);
  const child = start(folder, ['simplify', '-', 'out.onnx'], { stdio: ['pipe', 'ignore', 'pipe'] });
  child.stderr.destroy();
  setTimeout(() => child.stdin.end(readFileSync(model)), 2500); // so that there is progress to tell
  const status = await new Promise((resolve) => child.once('close', resolve));
  assert.deepEqual([status, existsSync(join(folder, 'out.onnx'))], [0, true]);
});

test('on a terminal, progress is one line, which is erased before the result or an error', {
  skip: spawnSync('script', ['--version']).status !== 0 && 'there is no script',
}, (t) => {
  const { folder } = workspace(t);
  const inTerminal = (args) => {
    const command = `(sleep 2.5; cat '${model}') | '${process.execPath}' '${program}' ${args}`;
    const { stdout } = spawnSync('script', ['-qec', `sh -c "${command}"`, '/dev/null'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return stdout.replaceAll('\r\n', '\n');
  };
  // Each step of the work overwrites the one before. A busy machine shows more than one.
  const parts = '(?:\\r\\x1b\\[2K(?:loading standard|reading|running) [^\\r]*)+\\r\\x1b\\[2K';
  const shown = (result) => new RegExp(`^${parts}${result}[^\\x1b]*$`);
  assert.match(inTerminal('run - -i x=[[[1]]]'), shown('biases: float32 \\[1, 4\\]\\n'));
  assert.match(inTerminal('run - -i x=none.npy'), shown("broadloom run: cannot read 'none.npy'"));
});

test('work that takes longer than a second says so on standard error, and quick work does not', async (t) => {
  const { folder, prints } = workspace(t);
  prints('inspect', model); // nothing on standard error
  const child = start(folder, ['inspect', '-', '--json'], { stdio: 'pipe' });
  const streams = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name].on('data', (chunk) => {
      streams[name] += chunk;
    });
  setTimeout(() => child.stdin.end(readFileSync(model)), 2500);
  const status = await new Promise((resolve) => child.once('close', resolve));
  assert.equal(status, 0);
  assert.match(streams.stderr, /^((loading|inferring types and shapes of) standard input\n)+$/);
  assert.equal(JSON.parse(streams.stdout).opset, 21);
});
