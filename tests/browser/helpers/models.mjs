// Models for tests of the page of models, and the steps that these tests share.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { graphAttribute, input, model, node, output } from '../../../tools/models/writer.mjs';
import { openTab } from './playground.mjs';

const folder = mkdtempSync(join(tmpdir(), 'broadloom-models-'));
after(() => rmSync(folder, { recursive: true }));

/** A file of the tests, whatever it holds. */
export function madeFile(name, content) {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** A file with a model of one graph. */
export const made = (name, graph, domains) => madeFile(name, model('made', graph, domains));

/** The file of a sample. */
export const sampleFile = (name) => fileURLToPath(new URL(`../../../web-demo/public/samples/${name}`, import.meta.url));

/** An If whose then_branch has `nodes`. The last of them produces `inner`. */
export function branches(name, result, inner, nodes) {
  return node(
    'If',
    name,
    ['c'],
    [result],
    [
      graphAttribute('then_branch', [...nodes, output(inner, 'float32', ['n'])]),
      graphAttribute('else_branch', [
        node('Identity', '', ['x'], [`${result}_else`]),
        output(`${result}_else`, 'float32', ['n']),
      ]),
    ],
  );
}
export const ends = [input('x', 'float32', ['n']), input('c', 'bool', []), output('y', 'float32', ['n'])];

/** Chooses files where a model is opened. */
export async function choose(page, ...files) {
  await (await page.waitForSelector('#models-file')).uploadFile(...files);
}

/** Presses a key on an element: Firefox under WebDriver clicks beside an element that it has just scrolled to. */
export async function press(page, selector, key = 'Enter') {
  await page.waitForSelector(selector);
  await page.focus(selector);
  await page.keyboard.press(key);
}

/** Runs the model that is open, in its tab. */
export async function run(page) {
  await openTab(page, 'run');
  await press(page, '#run');
}

export const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent);
export const words = async (page, selector) => (await textOf(page, selector)).replace(/\s+/g, ' ').trim();

/** Whether the middle of an element is in the window. */
export const isSeen = (page, selector) =>
  page.$eval(selector, (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && (top + bottom) / 2 < innerHeight;
  });
