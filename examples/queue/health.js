// Answers whoever watches a worker: /healthz, /readyz and /metrics.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long Redis may take to answer, in milliseconds. */
const patience = 1000;

/**
 * Serves
 *
 * - `/healthz`: 200 as long as the event loop goes round
 * - `/readyz`: 200 if the worker takes jobs, else 503 and the reason
 * - `/metrics`: the queue's jobs, as Prometheus reads them
 *
 * @param options.isReady - returns why the worker takes no jobs, or nothing
 * @param options.queue - from `openQueue`
 * @param options.redis - its connection
 */
export async function serveHealth({ port, host, isReady, queue, redis }) {
  const inTime = async (promise) => {
    const late = new AbortController();
    const end = sleep(patience, undefined, { signal: late.signal }).then(() => {
      throw new Error(`Redis does not answer within ${patience} ms`);
    });
    try {
      return await Promise.race([promise, end]);
    } finally {
      late.abort();
      end.catch(() => {});
    }
  };
  const pages = {
    '/healthz': () => 'ok\n',
    '/readyz': async () => {
      const reason = isReady();
      if (reason) throw new Error(reason);
      if (redis.status !== 'ready') throw new Error('Redis is away');
      await inTime(redis.ping());
      return 'ok\n';
    },
    '/metrics': async () => {
      if (redis.status !== 'ready') throw new Error('Redis is away');
      return `${await inTime(queue.exportPrometheusMetrics())}\n`;
    },
  };
  const server = createServer(async (request, response) => {
    const page = pages[request.url];
    response.setHeader('Content-Type', 'text/plain; version=0.0.4');
    if (!page) return response.writeHead(404).end('not found\n');
    try {
      response.end(await page());
    } catch (error) {
      response.writeHead(503).end(`${error.message}\n`);
    }
  });
  server.listen(port, host);
  await once(server, 'listening');
  server.unref();
}
