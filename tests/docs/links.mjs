// The links of documents.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../tools/run.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');

/** The anchors that GitHub makes of headings. */
function anchorsOf(text) {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** The links of a document of the repository that lead to no file, or to no heading in it. */
export function lostLinks(path) {
  const links = [...read(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
  return links.filter((link) => {
    if (link.startsWith('https://')) return false;
    const [file, anchor] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(read(target)).includes(anchor));
  });
}
