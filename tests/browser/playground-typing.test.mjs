// Typing: a text stays as it is typed, key by key, in each field of each operator, on its page and in "Try it".
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../dist/index.js';
import { seed, someOf } from '../depth.mjs';
import { inUsualBrowsers, waitForText } from './helpers/playground.mjs';

const names = (await load()).operators().map(({ name }) => name);
const texts = ['', '3, 2, 1', '[[1, 2], [3]]', '-1e-3', 'NaN', 'abc', '"a, b"', '形状 ½', ' '];
const numbers = ['', '-1e-3', '12.5'];

/** Types each text into each field, as keys do it, and gives the fields whose text was another one after some key. */
function typeEverywhere(within, words, digits) {
  const selector = `${within} :is(textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file]))`;
  const fieldOf = (id) => document.getElementById(id);
  const { port1, port2 } = new MessageChannel();
  port2.start();
  /** Lets answers of the worker come; timers would wait longer. */
  const turn = () =>
    new Promise((resolve) => {
      port2.addEventListener('message', resolve, { once: true });
      port1.postMessage('');
    });
  const replace = (text) => {
    document.execCommand('selectAll');
    document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
  };
  /** Whether a field holds a text. One of numbers tells no text, but its number, if it is one yet. */
  const isShown = (id, text) => {
    const { type, value, valueAsNumber } = fieldOf(id) ?? {};
    if (type !== 'number') return value === text;
    return text === '' || Number.isNaN(Number(text)) ? value === '' : valueAsNumber === Number(text);
  };
  const typeInto = async (id, text) => {
    replace('');
    for (let end = 1; end <= text.length; end++) {
      document.execCommand('insertText', false, text[end - 1]);
      await turn();
      const typed = text.slice(0, end);
      if (!isShown(id, typed)) return [`${id}: ${JSON.stringify(typed)} became ${JSON.stringify(fieldOf(id)?.value)}`];
    }
    await turn();
    return isShown(id, text) ? [] : [`${id}: ${JSON.stringify(text)} became ${JSON.stringify(fieldOf(id)?.value)}`];
  };
  return (async () => {
    const ids = [...document.querySelectorAll(selector)].map(({ id }) => id).filter(Boolean);
    const wrong = [];
    for (const id of ids) {
      const field = fieldOf(id);
      if (field === null) continue; // another field's text can take it away
      const before = field.value;
      for (const text of field.type === 'number' ? digits : words) {
        fieldOf(id)?.focus();
        wrong.push(...(await typeInto(id, text)));
      }
      replace(before);
      fieldOf(id)?.blur();
    }
    return { count: ids.length, wrong };
  })();
}

inUsualBrowsers((name, visit) => {
  test(`a text stays as typed in each field of each operator, in ${name}; seed ${seed}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/operators/Expand' });
    const wrong = [];
    let count = 0;
    for (const [i, operator] of someOf(names, 14, seed).entries()) {
      for (const [hash, within, shows] of [
        [`/operators/${operator}`, '.stage', 'h1'],
        [`/try/${operator}`, '.form', '#chosen-version'],
      ]) {
        await page.evaluate((wanted) => {
          location.hash = wanted;
        }, hash);
        await page.waitForSelector(within);
        await waitForText(page, shows, operator);
        await page.$$eval(`${within} details`, (all) => all.map((details) => details.toggleAttribute('open', true)));
        const found = await page.evaluate(typeEverywhere, within, someOf(texts, 3, i), numbers);
        wrong.push(...found.wrong.map((one) => `${hash} ${one}`));
        count += found.count;
      }
    }
    assert.ok(count > 50, `${count} fields`);
    assert.deepEqual(wrong, []);
    assert.deepEqual(complaints, []);
  });
});
