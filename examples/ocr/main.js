// The page: a photograph, the lines that were found in it, and their texts.
import { openReader } from './open.js';

const element = (name) => document.getElementById(name);
const canvas = element('photograph');
const pen = canvas.getContext('2d');
const readers = new Map(); // promises, by library

function readerOf(library) {
  if (!readers.has(library)) readers.set(library, openReader(library));
  return readers.get(library);
}

async function show(file) {
  element('texts').replaceChildren();
  element('status').textContent = 'Reading ...';
  const photograph = await createImageBitmap(file);
  canvas.width = photograph.width;
  canvas.height = photograph.height;
  pen.drawImage(photograph, 0, 0);
  const read = await readerOf(document.querySelector('input[name=library]:checked').value);
  const start = performance.now();
  const lines = await read(photograph);
  element('status').textContent = `${lines.length} lines in ${Math.round(performance.now() - start)} ms`;
  pen.strokeStyle = '#0a7f5a';
  pen.lineWidth = Math.max(2, canvas.width / 320);
  for (const { text, corners } of lines) {
    pen.beginPath();
    for (const [x, y] of corners) pen.lineTo(x, y);
    pen.closePath();
    pen.stroke();
    element('texts').append(Object.assign(document.createElement('li'), { textContent: text }));
  }
}

let file = fetch('photograph.jpg').then((response) => response.blob());
let last = Promise.resolve();
/** One after another: a page has one canvas. */
function start() {
  last = last
    .then(() => file)
    .then(show)
    .catch((error) => {
      element('status').textContent = error.message;
    });
}
element('file').onchange = ({ target }) => {
  if (target.files[0]) file = target.files[0];
  start();
};
for (const choice of document.querySelectorAll('input[name=library]')) choice.onchange = start;
start();
