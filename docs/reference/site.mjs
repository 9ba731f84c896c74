// A plugin of typedoc, which makes one site of its pages. Guides are in the order of docs/README.md. Each operator has a page in place
// of its methods and types. Pages lead to those before and after, and to the playground, which is served beside this site.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Application,
  Converter,
  DocumentReflection,
  IndexEvent,
  JSX,
  MinimalSourceFile,
  normalizePath,
  PageEvent,
} from 'typedoc';
import { methodName } from '../../shared/method-name.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pagesFolder = join(root, 'build/operators'); // tools/operators/pages.mjs writes the pages
/** The playground, from the site's folder. */
const playground = '../playground/index.html';

/** The guides, in the order in which the first page numbers them. */
const list = readFileSync(join(root, 'docs/README.md'), 'utf8');
const guides = [...list.matchAll(/^\d+\. \[.*?\]\((\S+)\)/gm)].map(([, path]) => join(root, 'docs', path));

/** A page's name is the first heading of its file, which then needs no front matter: GitHub would show it. */
const heading = /^# (.+)\n+/;

function titleOf([first], file) {
  const title = heading.exec(first.text)?.[1];
  if (title === undefined) throw new Error(`${file} does not begin with a heading`);
  return title;
}

/** Adds the operators' pages below their guide. */
function addPages(converter, guide) {
  for (const name of readdirSync(pagesFolder).sort()) {
    const path = normalizePath(join(pagesFolder, name));
    const file = new MinimalSourceFile(readFileSync(path, 'utf8'), path);
    const { content } = converter.parseRawComment(file, guide.project.files);
    const page = new DocumentReflection(basename(name, '.md'), guide, content, {});
    guide.addChild(page);
    guide.project.registerReflection(page, undefined, path);
  }
}

const text = (words) => ({ kind: 'text', text: words });
const link = (words, target) => ({ kind: 'inline-tag', tag: '@link', text: words, target });

/** The first sentence of a page. */
const summaryOf = ({ content: [first] }) => first.text.split('\n')[2];

/** Takes away what operators' pages have: methods, attributes and types. Links to the pages stay in their place. */
function linkToPages(project) {
  const pages = project.documents.find(({ name }) => name === 'Operators').children;
  const broadloom = project.children.find(({ name }) => name === 'broadloom');
  const isOfOperator = (reflection) => {
    const path = project.getSymbolIdFromReflection(reflection)?.packagePath ?? '';
    return /runtime\/(operators\.generated|constants)\.ts$/.test(path);
  };
  const find = (name) => broadloom.children.find((child) => child.name === name);
  const lists = [find('TypedOperators'), find('OperatorAttributes')];
  const runtime = find('Runtime');
  for (const { children } of [broadloom, runtime, ...lists])
    for (const child of children.filter(isOfOperator)) if (!lists.includes(child)) project.removeReflection(child);
  for (const { comment } of lists)
    comment.summary.push(
      text('\n\nEach is on the page of its operator:\n\n'),
      ...pages.flatMap((page) => [text('- '), link(page.name, page), text(`: ${summaryOf(page)}\n`)]),
    );
  const methods = pages.flatMap((page, i) => [text(i === 0 ? '' : ', '), link(methodName(page.name), page)]);
  runtime.comment.summary.push(text('\n\nThe methods of operators, each with a page: '), ...methods, text('.'));
}

/** The guide's table leads to ONNX's text of each operator, on the site to the operator's page if it has one. */
const onnxLink = /"https:\/\/onnx\.ai\/onnx\/operators\/onnx__(\w+)\.html"[^>]*/g;
const toOwnPage = ({ children }) => {
  const names = new Set(children.map(({ name }) => name));
  return (found, name) => (names.has(name) ? `"Operators.${name}.html"` : found);
};

/** Links to the pages before and after a guide, or an operator's page. */
function neighbours({ page: { model }, urlTo }) {
  if (!model.isDocument()) return;
  const all = model.parent.isProject() ? model.project.documents : model.parent.children;
  const at = all.indexOf(model);
  const to = (page, rel, words) =>
    page && JSX.createElement('a', { href: urlTo(page), rel, class: `site-${rel}` }, words(page.name));
  return JSX.createElement(
    'nav',
    { class: 'site-neighbours', 'aria-label': 'Pages before and after' },
    to(all[at - 1], 'prev', (name) => `← ${name}`),
    to(all[at + 1], 'next', (name) => `${name} →`),
  );
}

/** The words of a document that the search finds, each once: of an operator's page all but code, types and its neighbours' names. */
function searchWords({ content, parent }) {
  const all = content
    .filter(({ kind }) => kind !== 'relative-link')
    .map((part) => part.text)
    .join('');
  const prose = parent.isProject() ? all : all.replace(/```.*?```|Types: [^\n]*|\[[A-Z]\w+\]\(/gs, ' ');
  const names = prose
    .replace(/\]\([^)]*\)/g, ' ')
    .toLowerCase()
    .match(/[a-z][\w.-]*\w/g);
  return [...new Set(names.flatMap((name) => [name, ...name.split('.')]))].join(' ');
}

export function load(app) {
  const { converter, renderer } = app;
  app.on(Application.EVENT_BOOTSTRAP_END, () => app.options.setValue('projectDocuments', guides));
  converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    document.name = titleOf(document.content, document.name);
    if (document.name === 'Operators') addPages(converter, document);
  });
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    project.name = titleOf(project.readme, 'the first page');
    const [first] = project.readme;
    first.text = first.text.replace(heading, ''); // the first page has its name above it already, guides have not
    linkToPages(project);
  });
  renderer.on(IndexEvent.PREPARE_INDEX, (event) => {
    event.searchFieldWeights.document = 1;
    event.searchResults.forEach((found, i) => {
      if (found.isDocument()) event.searchFields[i] = { document: searchWords(found) };
    });
  });
  renderer.hooks.on('content.end', neighbours);
  renderer.on(PageEvent.END, (page) => {
    const address = relative(dirname(page.url), playground);
    page.contents = page.contents.replaceAll('href="playground:', `href="${address}`);
    if (page.model.name === 'Operators') page.contents = page.contents.replaceAll(onnxLink, toOwnPage(page.model));
  });
}
