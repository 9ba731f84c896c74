// The playground's page Prepare: pictures and sounds, their steps, the comparison with the canvas, and all that can be taken away.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { load } from 'broadloom';
import { png, wav } from './helpers/media.mjs';
import { inEveryBrowser, inUsualBrowsers, type, waitForText } from './helpers/playground.mjs';

const ops = await load();
const folder = mkdtempSync(join(tmpdir(), 'broadloom-prepare-'));
after(() => rmSync(folder, { recursive: true }));

function made(name, content) {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const colourAt = (x, y) => [(x * 5) % 256, (y * 7) % 256, (x * y) % 256];
const picture = made(
  'picture.png',
  png(97, 61, (x, y) => colourAt(x, y)),
);
const pixels = Uint8Array.from({ length: 97 * 61 * 3 }, (_, i) => {
  const [pixel, channel] = [Math.floor(i / 3), i % 3];
  return colourAt(pixel % 97, Math.floor(pixel / 97))[channel];
});
const source = { data: pixels, width: 97, height: 61 };
const tone = Array.from({ length: 22050 }, (_, i) => Math.sin(i / 5) / 2);
const sound = made('sound.wav', wav(22050, [tone, tone.map((sample) => -sample / 2)]));

async function open(page, file) {
  await (await page.waitForSelector('#prepare-file')).uploadFile(file);
}

const dims = (page, text) => waitForText(page, '#prepare-dims', text);
const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent.trim());

/** The bytes of the file that a button saves, and its name. */
async function saved(page, selector) {
  await page.evaluate(() => {
    globalThis.files = [];
    globalThis.create ??= URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => {
      globalThis.files.push({ blob });
      return globalThis.create(blob);
    };
    HTMLAnchorElement.prototype.click = function () {
      globalThis.files.at(-1).name = this.download;
    };
  });
  await page.focus(selector);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => globalThis.files[0]?.name !== undefined);
  // Firefox takes seconds to hand over a list of half a million numbers.
  const [name, base64] = await page.evaluate(async () => {
    const [file] = globalThis.files;
    const reader = new FileReader();
    reader.readAsDataURL(file.blob);
    await new Promise((resolve) => reader.addEventListener('load', resolve));
    return [file.name, reader.result.slice(reader.result.indexOf(',') + 1)];
  });
  return { name, bytes: Uint8Array.from(Buffer.from(base64, 'base64')) };
}

/** The greatest distance of two tensors. */
function distance(one, other) {
  assert.deepEqual([one.type, one.dims], [other.type, other.dims]);
  const [found, wanted] = [one.toArray(), other.toArray()];
  return found.reduce((most, value, i) => Math.max(most, Math.abs(value - wanted[i])), 0);
}

inEveryBrowser((name, visit) => {
  test(`a picture is prepared, compared, and taken away, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/prepare' });
    await dims(page, 'float32 [1, 3, 224, 224]');
    await open(page, picture);
    await waitForText(page, '.prepare-name', 'picture.png');
    await waitForText(page, '.prepare-row', '97 × 61');
    await waitForText(page, '#prepare-mean', 'of 255 levels');
    const tensor = await saved(page, '#prepare-npy');
    assert.equal(tensor.name, 'tensor.npy');
    const elements = new Float32Array(tensor.bytes.slice(-4 * 3 * 224 * 224).buffer);
    const wanted = ops.fromImage(source, ops.presets.imagenet);
    assert.deepEqual(elements, wanted.toArray());
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`a .wav file becomes a spectrogram of its own rate, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/prepare' });
    await dims(page, 'float32 [1, 3, 224, 224]');
    await open(page, sound);
    await dims(page, 'float32 [80, 100]');
    await waitForText(page, '.prepare-row', '1 s, 22050 Hz, 2 channels');
    await page.waitForSelector('.prepare-spectrogram canvas');
    assert.deepEqual(complaints, []);
  });
});

inUsualBrowsers((name, visit) => {
  test(`the .onnx file does the same steps within a level, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/prepare' });
    await dims(page, 'float32 [1, 3, 224, 224]');
    for (const preset of ['clip', 'yolo']) {
      await page.select('[id="prepare:preset"]', preset);
      await waitForText(page, '#prepare-code', `ops.presets.${preset}.`);
      const file = await saved(page, '#prepare-onnx');
      assert.equal(file.name, 'prepare.onnx');
      const model = ops.loadModel(file.bytes);
      const options = ops.presets[preset];
      const { tensor } = model.run({ image: ops.tensor('uint8', pixels, [1, 61, 97, 3]) });
      const level = options.scale / Math.min(...[options.std ?? 1].flat());
      assert.ok(distance(tensor, ops.fromImage(source, options)) < 1.001 * level, preset);
      model.dispose();
    }
  });

  test(`the .onnx file of a spectrogram gives that of the page, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/prepare/sound?seconds=1' });
    await dims(page, 'float32 [80, 100]');
    const model = ops.loadModel((await saved(page, '#prepare-onnx')).bytes);
    const samples = Float32Array.from({ length: 16000 }, (_, i) => Math.sin(i * i * 1e-5));
    const { features } = model.run({ samples: ops.tensor('float32', samples, [16000]) });
    assert.ok(distance(features, ops.logMel(samples, 'whisper')) < 2e-4);
    model.dispose();
  });

  test(`presets fill the form, and the address holds the steps, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/prepare' });
    await dims(page, 'float32 [1, 3, 224, 224]');
    await page.select('[id="prepare:preset"]', 'yolo');
    await dims(page, 'float32 [1, 3, 640, 640]');
    assert.equal(await page.$eval('[id="prepare:fit"]', ({ value }) => value), 'contain');
    await type(page, 'prepare:resize', '96, 128');
    await dims(page, 'float32 [1, 3, 96, 128]');
    assert.equal(await page.$eval('[id="prepare:preset"]', ({ value }) => value), '');
    await page.select('[id="prepare:layout"]', 'hwc');
    await page.select('[id="prepare:type"]', 'float16');
    await dims(page, 'float16 [96, 128, 3]');
    await page.waitForFunction(() => location.hash.includes('type=float16'));
    await page.reload();
    await dims(page, 'float16 [96, 128, 3]');
    await page.click('#prepare-undo').catch(() => {}); // nothing to undo after a reload
    assert.equal(await page.$eval('[id="prepare:resize"]', ({ value }) => value), '96, 128');
  });

  test(`a step is undone and redone, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/prepare' });
    await dims(page, 'float32 [1, 3, 224, 224]');
    await page.select('[id="prepare:channels"]', 'gray');
    // The mean and the deviation have three numbers.
    await waitForText(page, '[id="prepare:mean:problem"]', 'mean');
    await page.click('#prepare-undo');
    await page.waitForFunction(() => document.querySelector('.problem') === null);
    await page.click('#prepare-redo');
    await page.waitForSelector('[id="prepare:mean:problem"]');
  });

  test(`mistakes stand at their fields in the language of the page, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/prepare', language: 'en' });
    await dims(page, 'float32 [1, 3, 224, 224]');
    await type(page, 'prepare:scale', 'one');
    await waitForText(page, '[id="prepare:scale:problem"]', "element 0 is 'one', expected a number");
    assert.equal(await page.$eval('.prepare-outcome', ({ dataset }) => dataset.stale), 'true');
    await page.select('#language', 'zh');
    await waitForText(page, '[id="prepare:scale:problem"]', "第 0 个元素是 'one'，应为数字");
    await waitForText(page, 'h1', '预处理');
    await type(page, 'prepare:scale', '1');
    await page.waitForFunction(() => document.querySelector('.problem') === null);
    await type(page, 'prepare:resize', '0');
    await waitForText(page, '[id="prepare:resize:problem"]', 'resize');
  });

  test(`a file that is neither a picture nor a sound is refused, and the picture before stays, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/prepare', language: 'en' });
    await dims(page, 'float32 [1, 3, 224, 224]');
    await open(page, made('broken.png', 'this is text'));
    await waitForText(page, '[id="prepare:file:problem"]', 'not a picture that this browser can read');
    await open(page, made('broken.wav', readFileSync(sound).subarray(0, 30)));
    await waitForText(page, '[id="prepare:file:problem"]', 'not a sound that this browser can read');
    await dims(page, 'float32 [1, 3, 224, 224]');
    const stamped = '.prepare-outcome[data-stale="true"][data-note="From before the error"]';
    assert.notEqual(await page.$(stamped), null);
    await open(page, picture);
    await page.waitForFunction(() => document.querySelector('.problem') === null);
    assert.equal(await page.$('[data-note]'), null);
  });

  test(`a picture that is dropped anywhere is opened, and files without a type are tried, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/prepare' });
    await dims(page, 'float32 [1, 3, 224, 224]');
    const drop = (file, fileName, fileType) =>
      page.evaluate(
        (list, ofName, ofType) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([Uint8Array.from(list)], ofName, { type: ofType }));
          const event = { bubbles: true, cancelable: true, dataTransfer };
          document.body.dispatchEvent(new DragEvent('dragover', event));
          document.body.dispatchEvent(new DragEvent('drop', event));
        },
        [...readFileSync(file)],
        fileName,
        fileType,
      );
    await drop(picture, 'dropped.png', 'image/png');
    await waitForText(page, '.prepare-name', 'dropped.png');
    await drop(sound, 'unknown', '');
    await waitForText(page, '.prepare-name', 'unknown');
    await dims(page, 'float32 [80, 100]');
  });

  test(`the slider moves by keyboard, and tells both parts, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/prepare', language: 'en' });
    await dims(page, 'float32 [1, 3, 224, 224]');
    await page.focus('#prepare-slider');
    await page.keyboard.press('ArrowRight');
    const slider = () => page.$eval('#prepare-slider', (input) => input.getAttribute('aria-valuetext'));
    assert.equal(await slider(), 'Broadloom 51%, canvas 49%');
    await page.keyboard.press('Home');
    assert.equal(await slider(), 'Broadloom 0%, canvas 100%');
    const clip = await page.$eval('.compare-above', (canvas) => getComputedStyle(canvas).clipPath);
    assert.match(clip, /100%/);
  });

  test(`tabs of code change by arrow keys; torchvision has one where it has the steps, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/prepare' });
    await dims(page, 'float32 [1, 3, 224, 224]');
    await page.focus('#prepare-tab-typescript');
    await page.keyboard.press('ArrowRight');
    await waitForText(page, '#prepare-code', 'from PIL import Image');
    await page.keyboard.press('ArrowRight');
    await waitForText(page, '#prepare-code', 'transforms.CenterCrop([224, 224])');
    await page.select('[id="prepare:preset"]', 'yolo');
    await waitForText(page, '#prepare-code', 'import cv2');
    assert.equal(await page.$('#prepare-tab-torchvision'), null);
  });

  test(`steps that ONNX lacks say why there is no file, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/prepare/image?resize=64&filter=lanczos', language: 'en' });
    await dims(page, 'float32 [1, 3, 64, 96]');
    assert.equal(await page.$eval('#prepare-onnx', ({ disabled }) => disabled), true);
    await waitForText(page, '.take-panel', 'Resize has no filter "lanczos"');
  });

  test(`an address that cannot be read is told, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/prepare/image?filter=area', language: 'en' });
    await waitForText(page, '[role="alert"]', 'cannot be read');
    await dims(page, 'float32 [1, 3, 224, 224]');
  });

  test(`the page fits a phone with every field, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/prepare', width: 320 });
    for (const sample of ['picture', 'sound']) {
      await (await page.waitForSelector(`[data-sample=${sample}]`)).click();
      await dims(page, sample === 'picture' ? '224' : '[80, 300]');
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320, sample);
    }
  });

  test(`the page begins with a photograph, and each sample is one click away, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/prepare', language: 'en' });
    await dims(page, 'float32 [1, 3, 224, 224]');
    await waitForText(page, '.prepare-name', 'cat.webp');
    await waitForText(page, '.prepare-step', '451 × 300');
    await page.click('[data-sample=voice]');
    await waitForText(page, '.prepare-name', 'voice.wav');
    await waitForText(page, '.prepare-step', '16000 Hz');
    await page.click('[data-sample=picture]');
    await waitForText(page, '.prepare-step', '640 × 480');
    assert.equal(await page.$('.prepare-name'), null);
    assert.deepEqual(complaints, []);
  });

  test(`the pictures stay in sight while the last step is edited, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/prepare', width: 768, height: 700 });
    await dims(page, 'float32 [1, 3, 224, 224]');
    await page.focus('[id="prepare:std"]');
    await page.$eval('[id="prepare:std"]', (field) => field.scrollIntoView({ block: 'end' }));
    const { top, bottom } = await page.$eval('.prepare-step canvas', (canvas) =>
      canvas.getBoundingClientRect().toJSON(),
    );
    assert.ok(top >= 0 && bottom <= 700, `the first picture stands at ${top} to ${bottom} of 700`);
  });

  // Chromium has devices that are not there; nobody asks for leave to use them.
  if (name === 'chromium') {
    test('frames of the camera are prepared until it is stopped', async (t) => {
      const { page, complaints } = await visit(t, { hash: '/prepare', language: 'en' });
      await dims(page, 'float32 [1, 3, 224, 224]');
      const before = await textOf(page, '.prepare-times');
      await page.click('#prepare-camera');
      await waitForText(page, '#prepare-camera', 'Stop the camera');
      await waitForText(page, '[aria-labelledby="prepare-tensor"]', 'Stop the camera to look into the tensor');
      await page.waitForFunction(
        (text) => document.querySelector('.prepare-times').textContent.trim() !== text,
        {},
        before,
      );
      await page.select('[id="prepare:preset"]', 'yolo');
      await dims(page, 'float32 [1, 3, 640, 640]');
      await page.click('#prepare-camera');
      await page.waitForSelector('tensor-picture');
      await waitForText(page, '#prepare-camera', 'Camera');
      assert.deepEqual(complaints, []);
    });

    test('leaving the page stops the camera', async (t) => {
      const { page } = await visit(t, { hash: '/prepare', language: 'en' });
      await page.evaluate(() => {
        const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
        navigator.mediaDevices.getUserMedia = async (wanted) => {
          globalThis.stream = await ask(wanted);
          return globalThis.stream;
        };
      });
      await dims(page, 'float32 [1, 3, 224, 224]');
      await page.click('#prepare-camera');
      await waitForText(page, '#prepare-camera', 'Stop the camera');
      await page.evaluate(() => {
        location.hash = '#/benchmark';
      });
      await page.waitForFunction(() => globalThis.stream.getTracks().every(({ readyState }) => readyState === 'ended'));
    });

    test('the microphone is recorded until it is stopped', async (t) => {
      const { page, complaints } = await visit(t, { hash: '/prepare', language: 'en' });
      await dims(page, 'float32 [1, 3, 224, 224]');
      await page.click('#prepare-microphone');
      await waitForText(page, '#prepare-recording', 'Recording: 1 s of at most 30 s');
      await page.click('#prepare-microphone');
      await dims(page, 'float32 [80, ');
      assert.deepEqual(complaints, []);
    });

    test('a camera that is refused, or not there, is told in plain words', async (t) => {
      const { page } = await visit(t, { hash: '/prepare', language: 'en' });
      await dims(page, 'float32 [1, 3, 224, 224]');
      for (const [error, text] of [
        ['NotAllowedError', 'Allow it in the settings'],
        ['NotFoundError', 'No such device'],
        ['AbortError', 'could not be started'],
      ]) {
        await page.evaluate((reason) => {
          navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', reason));
        }, error);
        await page.click('#prepare-camera');
        await waitForText(page, '#prepare-device-problem', text);
      }
    });
  }
});
