// Keeps the site for when there is no network. The list of files is written in when the site is built (vite.config.ts).
import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching';

const scope = self as unknown as {
  addEventListener(type: string, listener: (event: FetchEvent) => void): void;
  __WB_MANIFEST: { url: string; revision: string }[];
};
interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

// Files that are large and seldom wanted are kept once they were fetched.
const kept = 'fetched-once';
scope.addEventListener('fetch', (event) => {
  if (!/\/(onnxruntime|ort-)[^/]*$/.test(event.request.url)) return;
  event.respondWith(
    caches.open(kept).then(async (cache) => {
      const found = await cache.match(event.request);
      if (found !== undefined) return found;
      const response = await fetch(event.request);
      if (response.ok) await cache.put(event.request, response.clone());
      return response;
    }),
  );
});

cleanupOutdatedCaches();
precacheAndRoute(scope.__WB_MANIFEST);
