// A page's title on the site is the first heading of its file, which then needs no front matter: GitHub would show it.
import { Converter } from 'typedoc';

const heading = /^# (.+)\n+/;

/** Takes the heading off a file's text, and returns it. */
function takeTitle([first], file) {
  const title = heading.exec(first.text)?.[1];
  if (title === undefined) throw new Error(`${file} does not begin with a heading`);
  first.text = first.text.replace(heading, '');
  return title;
}

export function load({ converter }) {
  converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    document.name = takeTitle(document.content, document.name);
  });
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    project.name = takeTitle(project.readme, 'the README');
  });
}
