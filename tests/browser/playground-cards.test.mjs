// The documented examples as cards of the playground.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentedExamples } from '../../tools/examples.mjs';
import { inEveryBrowser } from './helpers/playground.mjs';

const examples = documentedExamples();
const operators = [...new Set(examples.map(({ operator }) => operator))];
const asExpected = { en: 'as expected', zh: '与期望一致' };

inEveryBrowser((name, visit) => {
  for (const language of Object.keys(asExpected)) {
    test(`every documented example is as expected on its card in ${name} (${language})`, async (t) => {
      const { page, complaints, violations } = await visit(t, { language });
      const seen = [];
      for (const operator of operators) {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, `#/operators/${operator}`);
        await page.waitForFunction((title) => document.querySelector('h1')?.textContent === title, {}, operator);
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
          assert.equal(status, asExpected[language], title);
          assert.equal(actual, expected, title);
          seen.push(`${operator} ${title}`);
        }
      }
      assert.deepEqual(
        seen,
        examples.map(({ operator, name: title }) => `${operator} ${title}`),
      );
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
      const { page } = await visit(t, { browserLanguage });
      assert.equal(await page.$eval('#examples', (element) => element.textContent), heading);
    });
  }

  test(`a chosen language is still chosen after a reload in ${name}`, async (t) => {
    const { page } = await visit(t);
    await page.select('#language', 'zh');
    await page.reload();
    assert.equal(await page.$eval('#examples', (element) => element.textContent), '示例');
  });
});
