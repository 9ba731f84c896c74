// A page's name on the site is the first heading of its file, which then needs no front matter: GitHub would show it.
import { Converter } from 'typedoc';

const heading = /^# (.+)\n+/;

function titleOf([first], file) {
  const title = heading.exec(first.text)?.[1];
  if (title === undefined) throw new Error(`${file} does not begin with a heading`);
  return title;
}

export function load({ converter }) {
  converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    document.name = titleOf(document.content, document.name);
  });
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    project.name = titleOf(project.readme, 'the README');
    const [first] = project.readme;
    first.text = first.text.replace(heading, ''); // the first page has its name above it already, guides have not
  });
}
