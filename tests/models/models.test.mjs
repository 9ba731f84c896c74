// Real models of real exporters (PyTorch, Paddle2ONNX, tf2onnx), from packages that people use: each can be opened and
// described. facts.json has the declarations of the files; it changes only with the packages, not with supported operators.
// ranks.json has the ranks that onnx's shape inference finds (tests/data/ranks-with-onnx.py).
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from '../../dist/inline.js';
import { flat, nodesOf } from '../../tools/models/reader.mjs';

const packages = join(import.meta.dirname, 'node_modules');
const facts = JSON.parse(readFileSync(join(import.meta.dirname, 'facts.json'), 'utf8'));
const ranks = JSON.parse(readFileSync(join(import.meta.dirname, 'ranks.json'), 'utf8'));
const ops = await load();

/** The part of a described node that is in the file. */
const written = ({ operator, domain, name, inputs, outputs, graphs }) => ({
  operator,
  domain,
  name,
  inputs,
  outputs: outputs.map((output) => output.name),
  ...(graphs && { graphs: Object.fromEntries(Object.entries(graphs).map(([key, list]) => [key, list.map(written)])) }),
});

const show = ({ name, type, dims }) => `${name}: ${type} [${dims.map((dim) => dim ?? '?').join(', ')}]`;

test('the packages have exactly the models of facts.json', () => {
  for (const [name, files] of Object.entries(facts)) {
    const found = readdirSync(join(packages, name), { recursive: true }).filter((file) => file.endsWith('.onnx'));
    assert.deepEqual(found.sort(), Object.keys(files), name);
  }
  assert.deepEqual(
    Object.values(facts).map((files) => Object.keys(files).length),
    [3, 3, 9],
  );
});

for (const [name, files] of Object.entries(facts)) {
  for (const [file, fact] of Object.entries(files)) {
    const bytes = readFileSync(join(packages, name, file));
    const open = (options, use) => {
      const before = ops.memory();
      const model = ops.loadModel(bytes, options);
      try {
        return use(model);
      } finally {
        model.dispose();
        assert.equal(ops.memory().bytesInUse, before.bytesInUse);
      }
    };

    test(`${name}/${file} opens, and lists the contents of the file, including subgraphs`, () => {
      open({ allowUnsupported: true }, (model) => {
        assert.deepEqual(
          {
            opset: model.opset,
            inputs: model.inputs.map(show),
            outputs: model.outputs.map(show),
            warnings: model.warnings,
          },
          { opset: fact.opset, inputs: fact.inputs, outputs: fact.outputs, warnings: fact.warnings },
        );
        assert.deepEqual(model.nodes.map(written), nodesOf(bytes));
        const nodes = flat(model.nodes);
        assert.deepEqual(
          { nodes: nodes.length, ifs: nodes.filter(({ graphs }) => graphs !== undefined).length },
          { nodes: fact.nodes, ifs: fact.ifs },
        );
        for (const { operator, graphs } of nodes)
          assert.deepEqual(Object.keys(graphs ?? {}).sort(), operator === 'If' ? ['else_branch', 'then_branch'] : []);
      });
    });

    test(`${name}/${file} has no inferred type or size that contradicts the file`, () => {
      open({ allowUnsupported: true }, (model) => {
        for (const { outputs } of flat(model.nodes)) {
          for (const { name: value, declared, inferred } of outputs) {
            if (!declared || !inferred) continue;
            if (declared.type && inferred.type) assert.equal(inferred.type, declared.type, value);
            if (!declared.dims || !inferred.dims) continue;
            assert.equal(inferred.dims.length, declared.dims.length, value);
            for (const [axis, size] of inferred.dims.entries())
              if (typeof size === 'number' && typeof declared.dims[axis] === 'number')
                assert.equal(size, declared.dims[axis], `${value}, axis ${axis}`);
          }
        }
      });
    });

    test(`${name}/${file} has a rank for every value with a rank in onnx's inference`, () => {
      open({ allowUnsupported: true }, (model) => {
        const nodes = flat(model.nodes);
        const words = ranks[name][file].split(' ');
        assert.equal(nodes.length, words.length);
        for (const [i, { operator, outputs, attributes }] of nodes.entries()) {
          assert.equal(outputs.length, words[i].length);
          for (const [k, { name: value, declared, inferred }] of outputs.entries()) {
            if (words[i][k] === '-') continue;
            // Inferred sizes hold in every run of a model that runs. There, declarations of branches are not used.
            const ofBranch = operator === 'If' ? attributes.then_branch.outputs[k] : undefined;
            const dims = inferred?.dims ?? declared?.dims ?? ofBranch?.dims;
            assert.equal(dims?.length, Number.parseInt(words[i][k], 16), `${value} of ${operator}`);
          }
        }
      });
    });

    // An If is unsupported only because of its graphs.
    const isCause = ({ unsupported, graphs = {} }) =>
      unsupported && !Object.values(graphs).some((inner) => flat(inner).some((node) => node.unsupported));
    test(`${name}/${file} names the first node that cannot run when it is loaded to run`, () => {
      const refused = open({ allowUnsupported: true }, ({ nodes }) => flat(nodes).find(isCause));
      if (refused === undefined) return open({}, ({ outputs }) => assert.ok(outputs.length > 0));
      const says = (error) => {
        assert.equal(error.name, 'OnnxError');
        assert.ok(error.message.includes(`'${refused.name}': ${refused.unsupported}`), error.message);
        assert.ok(error.message.includes(`'${refused.operator}'`), error.message);
        assert.equal(error.node, refused.name);
        return true;
      };
      assert.throws(() => ops.loadModel(bytes), says);
      // The model cannot run, so its feeds are not checked.
      open({ allowUnsupported: true }, (model) => assert.throws(() => model.run({}), says));
    });
  }
}

test('Silero VAD 5 has twenty-five Ifs, up to four deep', () => {
  const model = ops.loadModel(readFileSync(join(packages, '@ricky0123/vad-web/dist/silero_vad_v5.onnx')), {
    allowUnsupported: true,
  });
  const branches = (node) => Object.values(node.graphs ?? {});
  const depth = (nodes) => Math.max(0, ...nodes.flatMap(branches).map((branch) => 1 + depth(branch)));
  assert.equal(flat(model.nodes).filter((node) => branches(node).length === 2).length, 25);
  assert.equal(depth(model.nodes), 4);
  model.dispose();
});
