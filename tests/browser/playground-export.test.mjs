// "Try it": copies of code, and files that are saved.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { load } from '../../dist/index.js';
import { inUsualBrowsers, openTry, type, waitForText } from './helpers/playground.mjs';

const { unzipSync } = createRequire(new URL('../../web-demo/package.json', import.meta.url))('fflate');
const ops = await load();

/** Records the files that the page saves, and returns them as name -> bytes. */
async function catchFiles(page) {
  await page.evaluate(() => {
    globalThis.saved = [];
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      globalThis.saved.push(blob);
      return create.call(URL, blob);
    };
    HTMLAnchorElement.prototype.click = function () {
      globalThis.saved.push(this.download);
    };
  });
  return async (button) => {
    await page.evaluate(() => {
      globalThis.saved.length = 0;
    });
    await page.click(button);
    await page.waitForFunction(() => globalThis.saved.length === 2);
    const [name, base64] = await page.evaluate(async () => {
      const [blob, name] = globalThis.saved;
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return [name, btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))];
    });
    return { name, bytes: new Uint8Array(Buffer.from(base64, 'base64')) };
  };
}

inUsualBrowsers((name, visit) => {
  test(`the message about a copy is in the language of the page, and about that call alone, in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    await page.evaluate(() => {
      navigator.clipboard.writeText = async () => {};
    });
    await page.click('#copy-link');
    await waitForText(page, '.take-panel [role="status"]', 'Copied');
    await page.select('#language', 'zh');
    await waitForText(page, '.take-panel [role="status"]', '已复制');
    await type(page, 'input:1:values', '7');
    await page.waitForFunction(() => document.querySelector('.take-panel [role="status"]').textContent === '');
  });

  test(`downloads are files that load, run and read back in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    const save = await catchFiles(page);
    const onnx = await save('#save-onnx');
    assert.match(onnx.name, /\.onnx$/);
    const expected = ops.run('Expand', [ops.tensor('float32', [1, 2, 3], [3, 1]), [2, 1, 6]])[0];
    const model = ops.loadModel(onnx.bytes);
    const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
    const shape = ops.tensor('int64', [2, 1, 6], [3]);
    const feeds = Object.fromEntries(model.inputs.map(({ name: input }, i) => [input, [x, shape][i]]));
    const [output] = Object.values(model.run(feeds));
    assert.deepEqual([...output.data], [...expected.data]);

    const zip = await save('#save-test');
    assert.match(zip.name, /\.zip$/);
    const files = Object.fromEntries(
      Object.entries(unzipSync(zip.bytes)).map(([path, bytes]) => [path.replace(/^[^/]+\//, ''), bytes]),
    );
    assert.deepEqual(Object.keys(files).sort(), [
      'model.onnx',
      'test_data_set_0/input_0.pb',
      'test_data_set_0/input_1.pb',
      'test_data_set_0/output_0.pb',
    ]);
    assert.deepEqual([...ops.readTensor(files['test_data_set_0/input_1.pb']).data], [2n, 1n, 6n]);
    assert.deepEqual([...ops.readTensor(files['test_data_set_0/output_0.pb']).data], [...expected.data]);

    const npy = await save('.save-npy');
    const headerLength = new DataView(npy.bytes.buffer).getUint16(8, true);
    const header = new TextDecoder().decode(npy.bytes.slice(10, 10 + headerLength));
    assert.match(header, /'descr': '<f4'.*'shape': \(2, 3, 6\)/);
    assert.deepEqual([...new Float32Array(npy.bytes.slice(10 + headerLength).buffer)], [...expected.data]);
  });

  test(`the code of each language is shown and can be reached by arrow keys in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    await waitForText(page, '#code', "from 'broadloom'");
    await page.focus('#tab-typescript');
    await page.keyboard.press('ArrowRight');
    await waitForText(page, '#code', 'helper.make_node');
    await page.keyboard.press('ArrowRight');
    await waitForText(page, '#code', "from 'onnxruntime-web'");
    assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-onnxruntime');
  });
});
