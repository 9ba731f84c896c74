// detect of broadloom/tasks, beside Ultralytics' rules in plain JavaScript. No package with models has a YOLO: outputs in its
// layouts are made by hand.
import { afterAll, expect, test } from '@jest/globals';
import { load } from 'broadloom';
import { type Detection, type DetectionLayout, type DetectOptions, detect } from 'broadloom/tasks';
import { announceSeed, generator, seed } from './helpers/random.js';
import { counters, expectRefusal } from './helpers/runtime.js';

const ops = await load();
announceSeed('tasks-detect');
const before = counters(ops);
afterAll(() => expect(counters(ops)).toEqual(before));

/** A box as its centre and size, whether there is an object, and its classes. */
interface Row {
  readonly centre: readonly [x: number, y: number, width: number, height: number];
  readonly objectness: number;
  readonly classes: readonly number[];
  readonly extra: readonly number[];
}

function outputOf(layout: DetectionLayout, rows: readonly Row[], batch = 1) {
  const lists = rows.map(({ centre, objectness, classes, extra }) => [
    ...centre,
    ...(layout === 'yolov5' ? [objectness] : []),
    ...classes,
    ...extra,
  ]);
  const width = lists[0]?.length ?? 6;
  const one =
    layout === 'yolov8' ? Array.from({ length: width }, (_, i) => lists.map((row) => row[i] as number)) : lists;
  const dims = layout === 'yolov8' ? [batch, width, rows.length] : [batch, rows.length, width];
  const data = Float32Array.from(Array.from({ length: batch }, () => one.flat()).flat());
  return { type: 'float32', dims, data } as const;
}

const { fround } = Math;
type Corners = [left: number, top: number, right: number, bottom: number];

function cornersOf([x, y, width, height]: Row['centre']): Corners {
  const [halfWidth, halfHeight] = [fround(width / 2), fround(height / 2)];
  return [fround(x - halfWidth), fround(y - halfHeight), fround(x + halfWidth), fround(y + halfHeight)];
}

function overlap(a: Corners, b: Corners): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  const area = (box: Corners) => (box[2] - box[0]) * (box[3] - box[1]);
  return (width * height) / (area(a) + area(b) - width * height);
}

/** The rules: the best class of each box, then boxes from the best on, unless one of the same class overlaps. */
function reference(rows: readonly Row[], layout: DetectionLayout, across = false): Detection[] {
  const found = rows.map(({ centre, objectness, classes, extra }) => {
    const best = Math.max(...classes);
    const score = layout === 'yolov5' ? fround(best * objectness) : best;
    return { box: cornersOf(centre), index: classes.indexOf(best), score, extra: [...extra] };
  });
  const kept: typeof found = [];
  for (const one of found.filter(({ score }) => score > 0.25).sort((a, b) => b.score - a.score))
    if (!kept.some((other) => (across || other.index === one.index) && overlap(other.box, one.box) > 0.45))
      kept.push(one);
  return kept.map((one) => ({ ...one, label: `class ${one.index}` }));
}

function randomRows(random: () => number, count: number, classes: number, extra = 0): Row[] {
  const unit = () => fround(random() / 2 ** 32);
  return Array.from({ length: count }, () => ({
    centre: [fround(unit() * 200), fround(unit() * 200), fround(20 + unit() * 60), fround(20 + unit() * 60)] as const,
    objectness: unit(),
    classes: Array.from({ length: classes }, unit),
    extra: Array.from({ length: extra }, unit),
  }));
}

for (const layout of ['yolov5', 'yolov8'] as const)
  for (const acrossClasses of [false, true])
    test(`boxes of ${layout} are those of Ultralytics' rules${acrossClasses ? ', classes together' : ''}`, () => {
      const random = generator(seed);
      for (let round = 0; round < 30; round++) {
        const classes = 1 + (random() % 5);
        const extra = round % 3;
        const rows = randomRows(random, 1 + (random() % 80), classes, extra);
        const labels = Array.from({ length: classes }, (_, i) => `class ${i}`);
        const options = { layout, labels, classes, acrossClasses };
        expect(detect(ops, outputOf(layout, rows), options)).toEqual(reference(rows, layout, acrossClasses));
      }
    });

const row = (centre: Row['centre'], ...classes: number[]): Row => ({ centre, objectness: 1, classes, extra: [] });

test('boxes of an end-to-end model are taken as they are, the best first', () => {
  const data = [10, 20, 30, 40, 0.5, 7, 1, 2, 3, 4, 0.9, 0, 5, 5, 6, 6, 0.25, 1];
  const output = { type: 'float32', dims: [1, 3, 6], data } as const;
  expect(detect(ops, output, { layout: 'end-to-end', labels: { 7: 'cat' } })).toEqual([
    { box: [1, 2, 3, 4], label: '0', index: 0, score: expect.closeTo(0.9, 6), extra: [] },
    { box: [10, 20, 30, 40], label: 'cat', index: 7, score: 0.5, extra: [] },
  ]);
  expect(detect(ops, output, { layout: 'end-to-end', most: 1 })).toHaveLength(1);
  for (const index of [-1, Number.NaN]) {
    const row = { type: 'float32', dims: [1, 1, 6], data: [1, 2, 3, 4, 1, index] } as const;
    expect(detect(ops, row, { layout: 'end-to-end' })).toEqual([]);
  }
});

test('objects of equal scores are in the order of the output, whatever their classes', () => {
  const rows = [row([50, 50, 20, 20], 0, 0.5), row([150, 50, 20, 20], 0.5, 0), row([50, 150, 20, 20], 0, 0.75)];
  for (const acrossClasses of [false, true]) {
    const found = detect(ops, outputOf('yolov8', rows), { layout: 'yolov8', acrossClasses });
    expect(found.map(({ box: [left, top], index }) => [left, top, index])).toEqual([
      [40, 140, 1],
      [40, 40, 1],
      [140, 40, 0],
    ]);
  }
});

test('limits are those of the options', () => {
  const rows = [row([50, 50, 20, 20], 0.9), row([55, 50, 20, 20], 0.8), row([150, 50, 20, 20], 0.1)];
  const count = (options: Partial<DetectOptions>) =>
    detect(ops, outputOf('yolov8', rows), { layout: 'yolov8', ...options }).length;
  expect(count({})).toBe(1);
  expect(count({ maximumOverlap: 0.7 })).toBe(2);
  expect(count({ maximumOverlap: 1, minimumScore: 0 })).toBe(3);
  expect(count({ maximumOverlap: 1, minimumScore: 0, most: 2 })).toBe(2);
  expect(count({ minimumScore: 0.95 })).toBe(0);
});

test('boxes are in pixels of the image, and within it, where it is told how the image was prepared', () => {
  const image = { data: new Uint8Array(1280 * 960 * 3), width: 1280, height: 960, channels: 3 };
  const prepared = ops.fromImage(image, ops.presets.yolo);
  const rows = [row([320, 320, 100, 50], 0.9), row([10, 90, 40, 40], 0.8)];
  const found = detect(ops, outputOf('yolov8', rows), { layout: 'yolov8', prepared });
  expect(found.map(({ box }) => box)).toEqual([
    [540, 430, 740, 530],
    [0, 0, 60, 60],
  ]);
  prepared.dispose();
  const batch = ops.fromImage([image, image], ops.presets.yolo);
  const options = { layout: 'yolov8', prepared: batch, batch: 1 } as const;
  expect(detect(ops, outputOf('yolov8', rows, 2), options)).toEqual(found);
  expect(detect(ops, outputOf('yolov8', rows), { layout: 'yolov8', prepared: batch.images[1] })).toEqual(found);
  batch.dispose();
});

test('outputs without boxes, or without good ones, have no objects', () => {
  for (const layout of ['yolov5', 'yolov8', 'end-to-end'] as const) {
    const empty = { type: 'float32', dims: layout === 'yolov8' ? [1, 6, 0] : [1, 0, 6], data: [] } as const;
    expect(detect(ops, empty, { layout })).toEqual([]);
  }
  expect(detect(ops, outputOf('yolov5', [row([5, 5, 2, 2], Number.NaN)]), { layout: 'yolov5' })).toEqual([]);
});

test('the opset of the runtime does not change the result', async () => {
  const old = await load({ opset: 8 });
  const output = outputOf('yolov5', randomRows(generator(seed), 40, 3));
  expect(detect(old, output, { layout: 'yolov5' })).toEqual(detect(ops, output, { layout: 'yolov5' }));
});

test('faults are errors with the values, and leave nothing in memory', () => {
  const output = outputOf('yolov8', [row([5, 5, 2, 2], 0.5, 0.4)]);
  const refused = (options: object, ...says: string[]) =>
    expectRefusal(ops, () => detect(ops, output, { layout: 'yolov8', ...options } as never), {
      code: 'INVALID_ARGUMENT',
      says: ['detect: ', ...says],
    });
  refused({ layout: undefined }, 'no layout is given', "'end-to-end'");
  for (const layout of ['yolov4', 'yolox', 'detr', 'yolov8-seg', 8, null, ''])
    refused({ layout }, 'layout is', "'yolov8' for [batch, 4 + classes, boxes]", "'end-to-end' for [batch, boxes, 6]");
  refused({ layout: 'yolov5' }, '[1,6,1]', '[batch, boxes, 5 + classes]');
  refused({ labels: ['a'] }, '1 labels for 2 classes', 'classes says');
  refused({ classes: 3 }, 'classes is 3', 'at most 2');
  refused({ minimumScore: Number.NaN }, 'minimumScore is NaN');
  refused({ maximumOverlap: 1.5 }, 'maximumOverlap is 1.5', 'at least 0');
  refused({ acrossClasses: 1 }, 'acrossClasses is 1');
  refused({ most: 0 }, 'most is 0');
  refused({ prepared: {} }, 'prepared is', 'fromImage');
  refused({ prepared: null }, 'prepared is null');
  const place = { scaleX: 1, scaleY: 1, padLeft: 0, padTop: 0, imageWidth: 4, imageHeight: 4 };
  for (const name of Object.keys(place)) refused({ prepared: { ...place, [name]: Number.NaN } }, 'prepared is Object');
  refused({ batch: 1 }, 'batch is 1');
  for (const name of ['iou', 'iouThreshold', 'nmsThreshold', 'iou_thres'])
    refused({ [name]: 0.5 }, `no option '${name}': use 'maximumOverlap'`);
  for (const name of ['threshold', 'scoreThreshold', 'conf', 'confidence', 'conf_thres', 'minScore'])
    refused({ [name]: 0.5 }, `no option '${name}': use 'minimumScore'`);
  refused({ topK: 5 }, "no option 'topK': use 'most'");
  refused({ names: ['a'] }, "no option 'names': use 'labels'");
});

test.each([
  ['yolov5', ['yolov5', 'yolo5', 'YOLOv5', 'yolov7', 'yolov5s']],
  ['yolov8', ['yolov8', 'yolo8', 'yolov9', 'yolo11', 'yolov11', 'YOLO11n', 'yolo12', 'yolov12', 'YOLO-v12', 'yolov9t']],
  ['end-to-end', ['end-to-end', 'yolov10', 'yolo10', 'yolo26', 'YOLO26x', 'yolov26', 'YOLOv10b']],
] as const)('layout %s has the names of its versions: %j', (layout, names) => {
  const rows = [row([50, 50, 20, 20], 0.5, 0.75), row([150, 50, 20, 20], 0.9, 0)];
  const chosen = { type: 'float32', dims: [1, 2, 6], data: [1, 2, 3, 4, 0.9, 7, 5, 6, 7, 8, 0.5, 1] } as const;
  const output = layout === 'end-to-end' ? chosen : outputOf(layout, rows);
  const expected = detect(ops, output, { layout });
  expect(expected).toHaveLength(2);
  for (const name of names) expect(detect(ops, output, { layout: name as DetectionLayout })).toEqual(expected);
});

test.each([
  [[1, 84, 8400], 'yolov5', "'yolov8', [batch, 4 + classes, boxes]"],
  [[1, 84, 8400], 'end-to-end', "'yolov8', [batch, 4 + classes, boxes]"],
  [[1, 5, 2100], 'yolov7', "'yolov8', [batch, 4 + classes, boxes]"],
  [[1, 116, 8400], 'yolov10', "'yolov8', [batch, 4 + classes, boxes]"],
  [[1, 8400, 84], 'yolov8', "'yolov5', [batch, boxes, 5 + classes]"],
  [[1, 25200, 85], 'yolo11', "'yolov5', [batch, boxes, 5 + classes]"],
  [[1, 25200, 85], 'yolo26', "'yolov5', [batch, boxes, 5 + classes]"],
  [[1, 300, 6], 'yolov9', "'end-to-end', [batch, boxes, 6]"],
  [[2, 300, 6], 'yolov5', "'end-to-end', [batch, boxes, 6]"],
] as const)('dims %j are refused as %s, and the error says whose they are', (dims, layout, says) => {
  const output = ops.empty('float32', dims);
  for (const options of [{}, { labels: ['a', 'b'] }, { classes: 80 }])
    expectRefusal(ops, () => detect(ops, output, { layout, batch: 0, ...options }), {
      code: 'INVALID_ARGUMENT',
      says: [`dims [${dims}]`, `for layout '${layout}': such dims belong to ${says}`],
    });
  output.dispose();
});

test('dims that are like those of another layout are taken where the count of classes confirms them', () => {
  for (const [dims, layout, classes] of [
    [[1, 605, 525], 'yolov8', 601],
    [[1, 63, 606], 'yolov5', 601],
    [[1, 300, 6], 'yolov5', 1],
  ] as const) {
    const output = ops.empty('float32', dims);
    expect(detect(ops, output, { layout, classes })).toEqual([]);
    const labels = Array.from({ length: classes }, (_, i) => `${i}`);
    expect(detect(ops, output, { layout, labels })).toEqual([]);
    output.dispose();
  }
});

test('a class that has a fraction is refused: the output is not end-to-end', () => {
  const output = { type: 'float32', dims: [1, 1, 6], data: [1, 2, 3, 4, 0.9, 0.5] } as const;
  expectRefusal(ops, () => detect(ops, output, { layout: 'end-to-end' }), {
    code: 'INVALID_ARGUMENT',
    says: ['the class of a box is 0.5', "'end-to-end'"],
  });
});
