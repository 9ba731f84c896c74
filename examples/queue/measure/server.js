// A Redis server of the tests' own, which they may kill.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../connection.js';

/** How long the server may take to start, in milliseconds. */
const patience = 30_000;

/** A port of this machine that nobody listens at. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** redis-server with redis.conf, and with its data in `folder`. */
export class Server {
  #folder;
  #port;
  #child;

  /** @param more - settings in place of those of redis.conf, as redis-server takes them */
  static async start(folder, more = []) {
    const server = new Server(folder, await freePort());
    await server.start(more);
    return server;
  }

  /** For `start`. */
  constructor(folder, port) {
    this.#folder = folder;
    this.#port = port;
  }

  get url() {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Starts it, again after `kill`. Resolves when it answers. */
  async start(more = []) {
    const args = [join(import.meta.dirname, '../redis.conf'), '--port', this.#port, '--dir', this.#folder, ...more];
    this.#child = spawn('redis-server', args, { stdio: 'ignore' });
    let failure;
    this.#child.once('error', (error) => {
      failure = error;
    });
    this.#child.once('exit', (code, signal) => {
      failure ??= new Error(`redis-server ended: ${signal ?? code}`);
    });
    const deadline = Date.now() + patience;
    for (;;) {
      try {
        await (await connect(this.url)).quit();
        return;
      } catch (error) {
        if (failure || Date.now() > deadline) throw failure ?? error;
        await sleep(50);
      }
    }
  }

  /** Sends a signal, such as SIGSTOP. */
  signal(name) {
    this.#child?.kill(name);
  }

  /** As a failing machine ends it: what is not on the disk is lost. */
  async kill() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }
}
