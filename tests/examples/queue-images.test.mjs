// examples/queue: pictures of strangers take no more time and memory than the largest ones that are allowed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { isDeep } from '../depth.mjs';
import { chunk, headerOf, pngOf } from './png.mjs';
import { addJobs, decode, file, jpegDecoders, openModels, outcomesOf, requireOf, stop, useRedis } from './queue.mjs';

const tools = useRedis();
const sharp = requireOf('sharp');
/** A gray JPEG or PNG file of this size. */
const gray = (width, height, format = 'jpeg') =>
  sharp({ create: { width, height, channels: 3, background: '#888' } })
    .toFormat(format)
    .toBuffer();

test('a small file that declares many pixels, inflates to gigabytes or has hundreds of scans is refused without that work', async () => {
  const bomb = deflateSync(Buffer.alloc(2e8));
  const row = chunk('IDAT', deflateSync(Buffer.alloc(25)));
  const photograph = await sharp(file('upright.jpg')).jpeg({ progressive: true }).toBuffer();
  const scan = photograph.indexOf(Buffer.from([0xff, 0xda]));
  const scans = Buffer.concat([photograph.subarray(0, -2), ...Array(500).fill(photograph.subarray(scan, scan + 64))]);
  const huge = await gray(64, 64);
  huge.writeUInt16BE(60_000, huge.indexOf(Buffer.from([0xff, 0xc0])) + 5);
  huge.writeUInt16BE(60_000, huge.indexOf(Buffer.from([0xff, 0xc0])) + 7);
  const before = process.memoryUsage().rss;
  for (const decoder of Object.values(jpegDecoders)) {
    for (const [bytes, message] of [
      [pngOf(30_000, 30_000, row), /30000 x 30000 pixels, more than 4194304/],
      [pngOf(8, 1, headerOf(30_000, 30_000), row), /30000 x 30000 pixels, more than 4194304/],
      [pngOf(8, 1, chunk('IDAT', bomb)), /inflates to more than 41943040 bytes/],
      [scans, /scans, more than 20/],
      [huge, /60000 x 60000 pixels, more than 4194304/],
    ])
      await assert.rejects(decode(bytes, decoder), { message });
  }
  const profile = chunk('iCCP', Buffer.concat([Buffer.from('a\0\0', 'latin1'), bomb]));
  assert.equal((await decode(pngOf(8, 1, profile, row, chunk('IEND', [])))).width, 8);
  assert.ok(process.memoryUsage().rss - before < 3e8);
});

test('a file that is cut off, or not an image, is refused by both decoders of JPEG', async () => {
  for (const decoder of Object.values(jpegDecoders)) {
    await assert.rejects(decode(file('upright.jpg').subarray(0, 600), decoder));
    await assert.rejects(decode(Buffer.from([0xff, 0xd8]), decoder));
    await assert.rejects(decode(Buffer.from('GIF89a'), decoder), /^Error: not an image/);
  }
});

test('both decoders of JPEG give the same size and nearly the same pixels, also of a gray picture', async () => {
  const gray8 = await sharp(file('upright.jpg')).grayscale().jpeg().toBuffer();
  for (const bytes of [file('upright.jpg'), gray8]) {
    const [one, other] = await Promise.all(Object.values(jpegDecoders).map((decoder) => decode(bytes, decoder)));
    assert.deepEqual([one.width, one.height, one.data.length], [other.width, other.height, other.data.length]);
    const most = one.data.reduce((difference, value, i) => Math.max(difference, Math.abs(value - other.data[i])), 0);
    assert.ok(most < 24, `${most}`);
  }
});

test('lines of extreme proportions are refused at once, and those that are allowed leave the memory of a worker bounded', async () => {
  const rss = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
  await tools.withQueue('lines', async (queue, results) => {
    const worker = await tools.startWorker('lines', { WARM: 'text,image,rows', RUN_MILLISECONDS: '60000' });
    const before = rss(worker.pid);
    const widths = [300, 600, 1000, 1400];
    const refused = await Promise.all(
      widths.map(async (width) => ({ id: `${width}x1`, kind: 'text', image: await gray(width, 1, 'png') })),
    );
    const tall = { id: '1x1400', kind: 'text', image: await gray(1, 1400, 'png') };
    const allowed = await Promise.all(
      Array.from({ length: isDeep ? 32 : 6 }, async (_, i) => {
        const proportion = 40 - i;
        return { id: `allowed-${proportion}`, kind: 'text', image: await gray(8 * proportion, 8) };
      }),
    );
    const largest = { id: 'largest', kind: 'text', image: await gray(12_920, 323) };
    const jobs = [...refused, tall, ...allowed, largest];
    await addJobs(queue, tools.redis, jobs);
    const outcomes = await outcomesOf(
      results,
      jobs.map(({ id }) => id),
    );
    for (const { id } of [...refused, tall])
      assert.match(outcomes[id].error, /^the image has .* pixels: one side is more than 40 times the other$/);
    for (const { id } of [...allowed, largest]) assert.equal(outcomes[id].error, undefined, id);
    const grown = (rss(worker.pid) - before) / 2 ** 20;
    assert.ok(grown < 160, `${grown} MiB`);
    await stop(worker);
  });
});

test('a line of the widest proportions is read, and a wider one is not', async () => {
  const models = await openModels({ milliseconds: 60_000 });
  await assert.rejects(models.text(await gray(1400, 1, 'png')), /one side is more than 40 times the other/);
  assert.equal(typeof (await models.text(await gray(40, 1, 'png'))).text, 'string');
});
