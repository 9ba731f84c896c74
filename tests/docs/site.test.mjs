// The site of the documents, as `npm run docs` builds it: the size of its pages, its links, and the pages of operators.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { before, test } from 'node:test';
import { load } from '../../dist/index.js';
import { root, run } from '../../tools/run.mjs';

const site = join(root, 'build/reference');
const pages = new Map();
before(() => {
  run('node', ['tools/docs.mjs'], { quiet: true });
  for (const name of readdirSync(site, { recursive: true }).filter((file) => file.endsWith('.html')))
    pages.set(name, readFileSync(join(site, name), 'utf8'));
});

const hrefsOf = (text) => [...text.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href.replaceAll('&amp;', '&'));
const isElsewhere = (href) => /^https?:/.test(href);
const playground = /^(\.\.\/)+playground\/index\.html(#\/operators\/(\w+))?$/;

test('no page of the site has 300 kB', () => {
  assert.ok(pages.size > 300);
  assert.deepEqual(
    [...pages.keys()].filter((name) => statSync(join(site, name)).size >= 300_000),
    [],
  );
});

test('every link of the site leads to a file of it and to a heading there, or to the playground', () => {
  const ids = new Map([...pages].map(([name, text]) => [name, new Set(text.match(/(?<= id=")[^"]+/g))]));
  const isLost = (name, href) => {
    const [path, anchor] = href.split('#');
    const target = path === '' ? name : join(dirname(name), decodeURIComponent(path));
    if (!existsSync(join(site, target))) return true;
    return Boolean(anchor) && pages.has(target) && !ids.get(target).has(decodeURIComponent(anchor));
  };
  const lost = [...pages].flatMap(([name, text]) =>
    hrefsOf(text)
      .filter((href) => !isElsewhere(href) && !playground.test(href) && isLost(name, href))
      .map((href) => `${name}: ${href}`),
  );
  assert.deepEqual(lost, []);
});

test('each operator that runs has a page, which leads to its lesson, and to which the lists of methods lead', async () => {
  const ops = await load();
  const names = ops.operators().map(({ name }) => name);
  const pageOf = (name) => `documents/Operators.${name}.html`;
  const linksOf = (page) => hrefsOf(pages.get(page)).map((href) => relative('.', join(dirname(page), href)));
  const [, before, after] = /`\.\.\/reference\/(.*)\$\{operator\}(.*)`/.exec(
    readFileSync(join(root, 'web-demo/src/documents.ts'), 'utf8'),
  );
  for (const name of names) {
    assert.equal(`${before}${name}${after}`, pageOf(name)); // the link of the lesson
    const lessons = hrefsOf(pages.get(pageOf(name))).map((href) => playground.exec(href)?.[3]);
    assert.ok(lessons.includes(name), name);
  }
  for (const page of [
    'documents/Operators.html',
    'classes/broadloom.Runtime.html',
    'interfaces/broadloom.TypedOperators.html',
    'interfaces/broadloom.OperatorAttributes.html',
  ]) {
    const links = new Set(linksOf(page));
    assert.deepEqual(
      names.filter((name) => !links.has(pageOf(name))),
      [],
      page,
    );
  }
});

test('each guide is on the first page, and leads to the guides before and after it there', () => {
  const numbered = [...pages.get('index.html').matchAll(/<li><a href="(documents\/[^"]+)"/g)].map(([, href]) => href);
  const guides = readdirSync(join(root, 'docs/guides'));
  assert.ok(numbered.length >= guides.length);
  const nextTo = (page, rel) => {
    const [, href] = new RegExp(`href="([^"]+)" rel="${rel}"`).exec(pages.get(page)) ?? [];
    return href && join(dirname(page), href);
  };
  // The playground makes the address of a guide from its heading.
  const [, others] = /heading\.replaceAll\(\/(.*)\/g, '_'\)/.exec(
    readFileSync(join(root, 'web-demo/src/documents.ts'), 'utf8'),
  );
  const headings = guides.map((file) => /^# (.+)/.exec(readFileSync(join(root, 'docs/guides', file), 'utf8'))[1]);
  const wanted = headings.map((heading) => `documents/${heading.replaceAll(new RegExp(others, 'g'), '_')}.html`);
  assert.deepEqual(
    wanted.filter((page) => !numbered.includes(page)),
    [],
  );
  assert.deepEqual(
    numbered.slice(0, -1).map((page) => nextTo(page, 'next')),
    numbered.slice(1),
  );
  assert.deepEqual(
    numbered.slice(1).map((page) => nextTo(page, 'prev')),
    numbered.slice(0, -1),
  );
});
