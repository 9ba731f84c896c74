// The examples as cards of the playground.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentedExamples, operatorExamples } from '../../tools/models/examples.mjs';
import { someOf } from '../depth.mjs';
import { inUsualBrowsers, waitForText } from './helpers/playground.mjs';

const all = operatorExamples();
const documented = new Set(documentedExamples().map(({ operator }) => operator));
/** All operators in one language; in the other one, those that have texts. */
const examples = { en: all, zh: all.filter(({ operator }) => documented.has(operator)) };
const asExpected = { en: 'as expected', zh: '与期望一致' };
const upToRounding = { en: 'equal up to rounding', zh: '仅舍入不同' };

inUsualBrowsers((name, visit) => {
  for (const language of Object.keys(asExpected)) {
    test(`examples are as expected on their cards in ${name} (${language})`, async (t) => {
      const { page, complaints, violations } = await visit(t, { hash: '/operators/Expand', language });
      const seen = [];
      const operators = new Set(someOf(new Set(examples[language].map(({ operator }) => operator)), 5));
      for (const operator of operators) {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, `#/operators/${operator}`);
        await page.waitForFunction((title) => document.querySelector('h1')?.textContent === title, {}, operator);
        await page.waitForSelector('.example');
        await page.waitForFunction(() => document.querySelectorAll('.example[data-status="running"]').length === 0);
        const cards = await page.$$eval('.example', (elements) =>
          elements.map((element) => ({
            name: element.querySelector('h3').textContent,
            status: element.querySelector('.status').textContent,
            expected: element.querySelector('.expected').textContent,
            actual: element.querySelector('.actual').textContent,
          })),
        );
        for (const { name: title, status, expected, actual } of cards) {
          assert.equal(status, (actual === expected ? asExpected : upToRounding)[language], title);
          seen.push(`${operator} ${title}`);
        }
      }
      const wanted = examples[language].filter(({ operator }) => operators.has(operator));
      const known = wanted.map(({ operator, name: title }) => `${operator} ${title}`);
      assert.deepEqual(seen.sort(), known.sort());
      assert.equal(await page.evaluate(() => document.documentElement.lang), language === 'en' ? 'en' : 'zh-CN');
      assert.deepEqual(complaints, []);
      assert.deepEqual(await violations(), []);
    });
  }

  for (const [browserLanguage, heading] of Object.entries({
    'en-GB': 'Examples',
    'zh-CN': '示例',
    'fr-FR': 'Examples',
  })) {
    test(`a visitor whose ${name} asks for ${browserLanguage} reads "${heading}"`, async (t) => {
      const { page } = await visit(t, { hash: '/operators/Expand', browserLanguage });
      await waitForText(page, '#examples', heading);
      const links = await page.$$eval('.content a', (all) => all.map((link) => link.getAttribute('href')));
      assert.ok(links.includes('../reference/documents/Operators.Expand.html'));
    });
  }

  test(`a chosen language is still chosen after a reload in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/Expand' });
    await page.select('#language', 'zh');
    await waitForText(page, '#examples', '示例');
    await page.reload();
    await waitForText(page, '#examples', '示例');
  });
});
