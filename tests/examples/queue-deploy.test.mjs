// examples/queue: compose.yaml, the Dockerfile and the units of systemd name what there is, and limits that fit the code.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { root } from '../../tools/run.mjs';
import { tools } from '../consumers/tools.mjs';

const { parse } = createRequire(join(tools, 'x.js'))('yaml');
const folder = join(root, 'examples/queue');
const read = (path) => readFileSync(join(folder, path), 'utf8');
const programs = readdirSync(folder).filter((name) => name.endsWith('.js'));
const { scripts } = JSON.parse(read('package.json'));

/** Variables that the programs read: by name, or as a number. */
const variables = new Set(
  programs.flatMap((name) =>
    [...read(name).matchAll(/process\.env\.([A-Z_]+)|numberOf\('([A-Z_]+)'/g)].map(([, one, other]) => one ?? other),
  ),
);
const sizeOf = (text) => {
  const [, number, unit] = /^(\d+)([kmg])b?$/i.exec(text);
  return number * 1024 ** (1 + 'kmg'.indexOf(unit.toLowerCase()));
};
const secondsOf = (text) => Number(/^(\d+)s?$/.exec(text)[1]);
const maxmemory = sizeOf(/^maxmemory (\w+)$/m.exec(read('redis.conf'))[1]);
const deadline = Number(/numberOf\('STOP_DEADLINE', ([\d_]+)\)/.exec(read('worker.js'))[1].replace('_', '')) / 1000;
const wasmMemory = Number(/maximumMemory = (\d+) \* 2 \*\* 20/.exec(read('models.js'))[1]) * 2 ** 20;

test('each npm script runs a file that is there', () => {
  for (const [, command] of Object.entries(scripts))
    assert.ok(existsSync(join(folder, command.split(' ')[1])), command);
});

test('compose.yaml has Redis, two workers and a producer, and names what is there', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true });
  assert.deepEqual(Object.keys(services), ['redis', 'worker', 'producer']);
  assert.equal(services.worker.deploy.replicas, 2);
  for (const [name, service] of Object.entries(services)) {
    assert.ok(service.restart && service.stop_grace_period && service.mem_limit && service.healthcheck, name);
    for (const one of Object.keys(service.environment ?? {})) assert.ok(variables.has(one), `${name} sets ${one}`);
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      assert.equal(condition, 'service_healthy');
      assert.ok(services[other].healthcheck.test, `${other} has a healthcheck`);
    }
    if (service.build) {
      assert.ok(existsSync(join(folder, service.build, 'Dockerfile')));
      assert.equal(service.command[0], 'node');
      for (const file of service.command.slice(1)) assert.ok(existsSync(join(folder, file)), file);
      const { hostname, port } = new URL(service.environment.REDIS_URL);
      assert.ok(services[hostname], hostname);
      assert.match(read('redis.conf'), new RegExp(`^port ${port}$`, 'm'));
    }
    for (const volume of service.volumes ?? []) {
      const [from, to] = volume.split(':');
      assert.ok(from.startsWith('.') ? existsSync(join(folder, from)) : from in volumes, from);
      if (from.startsWith('.')) assert.ok(service.command.includes(to));
    }
  }
  const { redis, worker } = services;
  assert.ok(sizeOf(redis.mem_limit) >= 2 * maxmemory);
  // Node, the libraries and the code take 120 MiB, a picture of the most pixels 48.
  assert.ok(sizeOf(worker.mem_limit) >= wasmMemory + 200 * 2 ** 20);
  assert.ok(secondsOf(worker.stop_grace_period) > Number(worker.environment.STOP_DEADLINE) / 1000);
  assert.ok(worker.healthcheck.test.at(-1).includes(`:${worker.environment.HEALTH_PORT}/readyz`));
  assert.ok(read('health.js').includes("'/readyz'"));
});

test('the healthcheck of the worker is a program that tells whether an address answers', () => {
  const { services } = parse(read('compose.yaml'), { merge: true });
  const [kind, command, ...args] = services.worker.healthcheck.test;
  assert.equal(kind, 'CMD');
  assert.equal(
    spawnSync(
      command,
      args.map((arg) => arg.replace(':8080', ':1')),
    ).status,
    1,
  );
});

test('the Dockerfile copies and runs files that are there', () => {
  const lines = read('Dockerfile').split('\n');
  for (const line of lines.filter((one) => one.startsWith('COPY '))) {
    for (const path of line.split(' ').slice(1, -1)) assert.ok(existsSync(join(folder, path)), path);
  }
  const [command, file] = JSON.parse(lines.find((one) => one.startsWith('CMD ')).slice(4));
  assert.equal(command, 'node');
  assert.ok(programs.includes(file));
});

const units = readdirSync(join(folder, 'systemd'));

/** The settings of a unit: lists by name. */
function settingsOf(unit) {
  const settings = {};
  for (const [, name, value] of read(`systemd/${unit}`).matchAll(/^(\w+)=(.*)$/gm)) (settings[name] ??= []).push(value);
  return settings;
}

test('the units of systemd name what is there, and their limits fit the code', () => {
  assert.deepEqual(units, ['queue-redis.service', 'queue-worker@.service']);
  for (const unit of units) {
    const settings = settingsOf(unit);
    for (const line of settings.Environment ?? []) assert.ok(variables.has(line.split('=')[0]), line);
    for (const other of settings.Wants ?? []) assert.ok(units.includes(other), other);
    const files = settings.ExecStart[0]
      .split(' ')
      .slice(1)
      .filter((word) => /\.(js|conf)$/.test(word));
    assert.equal(files.length, 1);
    assert.ok(existsSync(join(folder, files[0].replace('/opt/queue/', ''))), files[0]);
  }
  const [redis, worker] = units.map(settingsOf);
  assert.ok(sizeOf(redis.MemoryMax[0]) >= 2 * maxmemory);
  assert.ok(sizeOf(worker.MemoryMax[0]) >= wasmMemory + 200 * 2 ** 20);
  assert.equal(
    worker.Environment.find((line) => line.startsWith('STOP_DEADLINE=')),
    `STOP_DEADLINE=${deadline * 1000}`,
  );
  assert.ok(secondsOf(worker.TimeoutStopSec[0]) > deadline);
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test('systemd-analyze accepts the units', { skip: !hasSystemd }, () => {
  const copies = mkdtempSync(join(tmpdir(), 'broadloom-units-'));
  try {
    cpSync(join(folder, 'systemd'), copies, { recursive: true });
    const path = (unit) => join(copies, unit.replace('@.', '@1.'));
    cpSync(join(copies, 'queue-worker@.service'), path('queue-worker@.service'));
    const options = { encoding: 'utf8', env: { ...process.env, SYSTEMD_UNIT_PATH: `${copies}:` } };
    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units.map(path)], options);
    const own = stderr.split('\n').filter((line) => line.includes('queue-'));
    // Programs of another machine may be elsewhere.
    assert.deepEqual(
      own.filter((line) => !/is not executable/.test(line)),
      [],
    );
  } finally {
    rmSync(copies, { recursive: true });
  }
});
