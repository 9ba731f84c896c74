// A link to Redis that can be cut, for tests: a TCP proxy.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * @param target - the URL of Redis
 * @returns `url`, whose connections are passed on to `target`; `cut()`, after which all are lost and none is made; `mend()`, after
 * which they are made again; and `close()`
 */
export async function openLink(target) {
  const { hostname, port, username, password } = new URL(target);
  const sockets = new Set();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(port || 6379), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      sockets.add(one);
      one.on('error', () => {}); // Its end, which follows, is passed on.
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  const user = username || password ? `${username}:${password}@` : '';
  return {
    url: `redis://${user}127.0.0.1:${server.address().port}`,
    cut,
    mend: () => {
      isCut = false;
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
