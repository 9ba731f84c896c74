// The code that the playground's page Prepare writes: TypeScript compiles, and Python gives the bytes of fromImage.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { type ImageOptions, load, logMelPresets } from 'broadloom';
import type { SoundSteps } from '../../../web-demo/src/prepare/options.js';
import { imagePython, torchvisionPython } from '../../../web-demo/src/prepare/python.js';
import { testPicture } from '../../../web-demo/src/prepare/samples.js';
import { soundPython } from '../../../web-demo/src/prepare/sound-python.js';
import { imageTypescript, soundTypescript } from '../../../web-demo/src/prepare/typescript.js';
import { png } from '../../browser/helpers/media.mjs';

const ops = await load();
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Presets, those of large pictures in an eighth of the size: their steps are the same. */
const presets = Object.fromEntries(
  Object.entries(ops.presets as { readonly [name: string]: ImageOptions }).map(([name, options]) => {
    const isLarge = Array.isArray(options.resize) && options.resize[0] >= 640;
    return [name, isLarge ? { ...options, resize: options.resize.map((side) => side / 8) } : options];
  }),
);

const images: { readonly [title: string]: ImageOptions } = {
  ...presets,
  'no steps': {},
  'gray bytes, channels last': { resize: [40, 30], channels: 'gray', type: 'uint8', layout: 'hwc', filter: 'hamming' },
  'the nearest pixels': { resize: [30, 40], filter: 'nearest', type: 'uint8' },
  'the middle': { resize: [50, 70], fit: 'cover', type: 'float64', layout: 'nhwc', filter: 'lanczos' },
  'cover from the corner': { resize: [70, 50], fit: 'cover', position: 'top-left', layout: 'chw', filter: 'box' },
  'a crop larger than the picture': { resize: 40, crop: [81, 90], fill: [1, 2, 3], channels: 'bgr' },
  'a box that lies partly outside': { crop: { top: -7, left: 5, height: 31, width: 300 }, fill: 9, type: 'uint8' },
  'a letterbox with a crop, as OpenCV has it': {
    ...{ resize: [64, 96], fit: 'contain', antialias: false, crop: [60, 60], scale: 1 / 127.5, mean: 1 },
  },
};

const sounds: readonly SoundSteps[] = ['whisper', 'whisper-128', 'openwakeword', 'fbank', 'waveform'].flatMap(
  (features) =>
    [undefined, 16000].map((length) => ({ features, length, rate: length === undefined ? 16000 : 8000, bins: 40 })),
);

test('the TypeScript compiles', () => {
  const programs = [
    ...Object.entries(images).map(([name, options]) =>
      imageTypescript(options, name in ops.presets ? name : undefined),
    ),
    ...sounds.map((steps) => soundTypescript(steps, logMelPresets)),
  ];
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build/programs-'));
  try {
    for (const [i, program] of programs.entries()) writeFileSync(join(folder, `${i}.mts`), program);
    const compilerOptions = {
      ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noUnusedLocals: true },
      ...{ target: 'es2022', lib: ['es2022', 'dom'], module: 'nodenext', noEmit: true, skipLibCheck: true, types: [] },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { cwd: folder });
    expect(String(stdout)).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);

test('torchvision has the steps of imagenet, and not those of yolo', () => {
  expect(torchvisionPython(ops.presets.imagenet)).toContain('transforms.CenterCrop([224, 224])');
  for (const name of ['yolo', 'sam', 'yolox'] as const) expect(torchvisionPython(ops.presets[name])).toBeUndefined();
  expect(torchvisionPython({ resize: 9 })).toBeUndefined();
});

/** The first Python that has these modules. */
const pythonWith = (modules: string): string | undefined =>
  ['python3', '/usr/bin/python3'].find((one) => spawnSync(one, ['-c', modules && `import ${modules}`]).status === 0);

function testWith(modules: string, title: string, run: (python: string) => void): void {
  const python = pythonWith(modules);
  if (python === undefined) process.stderr.write(`playground/prepare-code: SKIPPED ${title}: there is no ${modules}\n`);
  (python === undefined ? test.skip : test)(title, () => run(python as string), 60_000);
}

testWith('', 'the Python compiles', (python) => {
  const programs = [
    ...Object.values(images).flatMap((options) => [imagePython(options), torchvisionPython(options) ?? '']),
    ...sounds.map((steps) => soundPython(steps, logMelPresets)),
  ];
  const script = 'import json, sys\nfor code in json.load(sys.stdin): compile(code, "code", "exec")';
  const { stderr } = spawnSync(python, ['-c', script], { input: JSON.stringify(programs) });
  expect(String(stderr)).toBe('');
});

/** Runs programs on a picture, and compares the arrays that they make with what `fromImage` makes. */
function compare(python: string, cases: readonly (readonly [string, ImageOptions])[], mostLevels: number): void {
  const source = testPicture(101, 83);
  const at = (x: number, y: number) => [0, 1, 2].map((c) => source.data[4 * (y * source.width + x) + c] as number);
  const folder = mkdtempSync(join(tmpdir(), 'broadloom-prepare-'));
  try {
    writeFileSync(join(folder, 'image.jpg'), png(source.width, source.height, at)); // readers look at the first bytes
    for (const [title, options] of cases) {
      const program = `${imagePython(options)}x.astype(np.float64).tofile("x.bin")\n`;
      const printed = String(execFileSync(python, ['-c', program], { cwd: folder }));
      const bytes = new Uint8Array(readFileSync(join(folder, 'x.bin')));
      const found = new Float64Array(bytes.buffer);
      ops.scope(() => {
        const wanted = ops.fromImage(source, options);
        const level = Math.max(...[options.std ?? 1].flat().map((std) => (options.scale ?? 1) / std));
        const data = ops.cast(wanted, { to: 'float64' }).toArray() as Float64Array;
        let greatest = 0;
        for (let i = 0; i < data.length; i++)
          greatest = Math.max(greatest, Math.abs((data[i] as number) - (found[i] as number)) / level);
        expect([title, printed.trim(), greatest <= mostLevels]).toEqual([
          ...[title, `${wanted.type} (${wanted.dims.join(', ')})`, true],
        ]);
      });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const all = Object.entries(images);
testWith('numpy, PIL', 'the Python with Pillow gives the tensors of fromImage', (python) => {
  compare(
    python,
    all.filter(([, { antialias }]) => antialias !== false),
    1e-4,
  );
});
testWith('numpy, cv2', 'the Python with OpenCV gives the tensors of fromImage within a level', (python) => {
  compare(
    python,
    all.filter(([, { antialias }]) => antialias === false),
    1.001,
  );
});
