// The page: a picture, which the service worker classifies.
const element = (name) => document.getElementById(name);
const container = navigator.serviceWorker;

/** Resolves when a worker answers this page's requests. */
async function controlled() {
  const changed = new Promise((resolve) => container.addEventListener('controllerchange', resolve, { once: true }));
  const registration = await container.register('service-worker.js');
  const { active } = await Promise.race([container.ready, refused(registration)]);
  if (container.controller) return;
  active.postMessage('claim'); // the first visit, and a forced reload, go past the worker
  await changed;
}

/** Rejects when the first worker is not installed. Then `ready` waits for ever. */
function refused({ active, installing }) {
  return new Promise((_, reject) => {
    installing?.addEventListener('statechange', () => {
      if (!active && installing.state === 'redundant')
        reject(new Error('The service worker was not installed: it could not keep all of its files.'));
    });
  });
}

/** A picture of a canvas, as a PNG file. */
async function draw(width, height, paint) {
  const canvas = new OffscreenCanvas(width, height);
  paint(canvas.getContext('2d'));
  return canvas.convertToBlob();
}

const example = () =>
  draw(400, 80, (pen) => {
    pen.fillStyle = 'white';
    pen.fillRect(0, 0, 400, 80);
    pen.fillStyle = 'black';
    pen.font = '44px sans-serif';
    pen.fillText('Broadloom 2026', 16, 56);
  });

async function turned(file) {
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  return draw(width, height, (pen) => {
    pen.translate(width, height);
    pen.rotate(Math.PI);
    pen.drawImage(bitmap, 0, 0);
    bitmap.close();
  });
}

async function show(file) {
  URL.revokeObjectURL(element('picture').src);
  element('picture').src = URL.createObjectURL(file);
  element('answer').textContent = 'Reading ...';
  const start = performance.now();
  const response = await fetch('infer', { method: 'POST', body: file });
  const { error, label, score } = await response.json();
  const time = Math.round(performance.now() - start);
  element('answer').textContent = error ?? `${label} (${(100 * score).toFixed(1)} %), in ${time} ms`;
}

const installed = controlled();
let last; // the picture that is shown
/** One after another: an answer belongs to the picture above it. */
let queue = Promise.resolve();
function next(change) {
  queue = queue
    .then(() => installed)
    .then(() => change(last))
    .then((file) => {
      last = file;
      return show(file);
    })
    .catch((error) => {
      element('answer').textContent = error.message;
    });
}

element('answer').textContent = 'Installing ...';
element('file').onchange = ({ target }) => target.files[0] && next(() => target.files[0]);
element('turn').onclick = () => next(turned);
next(example);
