// "Try it" with large data: texts and files that stay in the worker, and results too large to list.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseOperator, inUsualBrowsers, paste, type, waitForText } from './helpers/playground.mjs';

const status = '.result [role=status]';
const count = 30_000;

async function chooseIdentity(page) {
  await page.waitForSelector('#operator');
  await chooseOperator(page, 'Identity');
  await waitForText(page, '#chosen-version', 'Identity');
}

/** Pastes 30,000 numbers into the field of an input's values. */
async function pasteLong(page) {
  await page.select('[id="input:0:kind"]', 'text');
  await page.waitForSelector('[id="input:0:values"]');
  await paste(page, 'input:0:values', `[${Array.from({ length: count }, (_, i) => i % 100)}]`);
}

async function drop(page, name, size) {
  await page.waitForSelector('.tensor-editor');
  await page.evaluate(
    (fileName, length) => {
      const header = `{'descr': '|u1', 'fortran_order': False, 'shape': (${length},), }`.padEnd(117);
      const file = new Uint8Array(128 + length);
      file.set(new TextEncoder().encode(`\x00NUMPY\x01\x00\x76\x00${header}\n`));
      file[0] = 0x93;
      for (let i = 0; i < length; i++) file[128 + i] = i % 251;
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([file], fileName));
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('.tensor-editor').dispatchEvent(event);
    },
    name,
    size,
  );
}

inUsualBrowsers((name, visit) => {
  test(`a text that is too long for a field sets the dims, can be used with other edits, and can be undone in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/try' });
    await chooseIdentity(page);
    await pasteLong(page);
    await waitForText(page, status, `float32 [${count}]`);
    await waitForText(page, '.tensor-editor', '0,1,2,3');
    assert.equal(await page.$('[id="input:0:values"]'), null);
    await type(page, 'input:0:dims', `2, ${count / 2}`);
    await waitForText(page, status, `[2, ${count / 2}]`);
    await page.waitForFunction(() => location.hash === '#/try'); // no link holds it
    await page.click('#undo');
    await page.click('#undo');
    await page.waitForSelector('[id="input:0:values"]');
    await page.click('#redo');
    await waitForText(page, status, `[${count}]`);
    assert.deepEqual(complaints, []);
  });

  test(`the error of a long text is shown at its values in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/try' });
    await chooseIdentity(page);
    await pasteLong(page);
    await waitForText(page, status, `[${count}]`);
    await page.select('[id="input:0:type"]', 'bool');
    await waitForText(page, '[id="input:0:values:problem"]', 'bool');
  });

  test(`a large file is read in the worker, and its call can be downloaded in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/try' });
    await chooseIdentity(page);
    await drop(page, 'large.npy', 300_000);
    await waitForText(page, status, 'uint8 [300000]');
    await waitForText(page, '.tensor-editor', 'large.npy, 300,000 bytes');
    await waitForText(page, '#code', 'ops.readTensor');
    await page.click('#tab-python');
    await waitForText(page, '#code', 'np.load("large.npy")');
    await page.click('#tab-onnxruntime');
    await waitForText(page, '#code', 'elements("input_0.pb", 300000)');
    await page.waitForFunction(() => document.querySelector('.picture-statistics')?.textContent.includes('250'));
    assert.deepEqual(complaints, []);
  });

  test(`the time of a call comes after its result in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/try' });
    await page.waitForSelector('.layout-times');
    await page.waitForFunction(() => /\d (?:ns|µs|ms)/.test(document.querySelector('.layout-times dd').textContent));
  });
});
