// Keeps the page, the WebAssembly module and the model, and answers POST infer from them. build.mjs gives VERSION and FILES.
import { openClassifier } from './classifier.js';

const prefix = 'direction-';
const name = prefix + VERSION;
const addressOf = (file) => new URL(file, registration.scope).href;
const inferAddress = addressOf('infer');
const addresses = new Set(FILES.map(addressOf));

// Either all files of a version are kept, or it is not installed. The page that is open has the old version until it is closed.
addEventListener('install', (event) => event.waitUntil(keepFiles()));

async function keepFiles() {
  const cache = await caches.open(name);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })));
}

addEventListener('activate', (event) => event.waitUntil(dropOthers()));

async function dropOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((one) => one.startsWith(prefix) && one !== name).map((one) => caches.delete(one)));
}

/** A page that was loaded past this worker asks for it. */
addEventListener('message', (event) => event.waitUntil(clients.claim()));

addEventListener('fetch', (event) => {
  const { url, method } = event.request;
  const address = plain(url);
  if (address === inferAddress) event.respondWith(answer(event.request));
  else if (method === 'GET' && addresses.has(address)) event.respondWith(fileOf(address));
});

/** An address without its query and fragment, and the page's under its one name. */
function plain(url) {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/index\.html$/, '/');
}

/** A file of this version, by its address or name; from the server if the browser has emptied the cache. */
async function fileOf(address) {
  const cache = await caches.open(name);
  return (await cache.match(address)) ?? fetch(address);
}

/** The classifier. Browsers stop workers that have nothing to do; the first request after that opens it again. */
let classifier;

function classifierOf() {
  classifier ??= openClassifier(fileOf).catch((error) => {
    classifier = undefined; // the next request tries again
    throw error;
  });
  return classifier;
}

async function answer(request) {
  if (request.method !== 'POST') return refuse(405, 'send a picture with POST', { Allow: 'POST' });
  const opened = classifierOf(); // while the picture is decoded
  opened.catch(() => {}); // a damaged picture is told first
  let picture;
  try {
    picture = await createImageBitmap(await request.blob());
  } catch (error) {
    return refuse(400, `the picture cannot be decoded: ${error.message}`);
  }
  try {
    const infer = await opened;
    return Response.json(infer(picture));
  } catch (error) {
    if (error.code === 'DISPOSED') classifier = undefined; // an error in WebAssembly has ended its runtime
    return refuse(500, error.message);
  } finally {
    picture.close();
  }
}

const refuse = (status, error, headers) => Response.json({ error }, { status, headers });
