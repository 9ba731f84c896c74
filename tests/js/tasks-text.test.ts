// decodeCtc, textBoxes and straighten of broadloom/tasks, beside plain JavaScript. tests/models runs them on PP-OCR.
import { afterAll, expect, test } from '@jest/globals';
import { load } from 'broadloom';
import { decodeCtc, straighten, type TextBoxesOptions, textBoxes } from 'broadloom/tasks';
import { announceSeed, generator, seed } from './helpers/random.js';
import { counters, expectRefusal } from './helpers/runtime.js';

const ops = await load();
announceSeed('tasks-text');
const before = counters(ops);
afterAll(() => expect(counters(ops)).toEqual(before));

const float32 = (dims: number[], data: number[]) => ({ type: 'float32', dims, data }) as const;

/** A step for each class, which has the score; other classes have nothing. */
const stepsOf = (classes: number, best: readonly (readonly [index: number, score: number])[]) =>
  best.flatMap(([index, score]) => Array.from({ length: classes }, (_, i) => (i === index ? score : 0)));

test('equal neighbours are one character, and a blank between them makes two', () => {
  const steps = stepsOf(3, [
    [1, 0.5],
    [1, 1],
    [0, 1],
    [1, 0.75],
    [2, 1],
    [0, 1],
  ]);
  expect(decodeCtc(ops, float32([6, 3], steps), { characters: 'ab' })).toEqual([{ text: 'aab', score: 0.75 }]);
});

test('texts are those of a decoder in plain JavaScript', () => {
  const random = generator(seed);
  for (let round = 0; round < 40; round++) {
    const [size, steps, classes] = [random() % 4, 1 + (random() % 30), 2 + (random() % 6)];
    const data = Array.from({ length: size * steps * classes }, () => Math.fround(random() / 2 ** 32));
    const blank = random() % classes;
    const characters = Array.from({ length: classes }, (_, i) => String.fromCodePoint(0x4e00 + i));
    const wanted = Array.from({ length: size }, (_, item) => {
      let [text, sum, last] = ['', 0, -1];
      for (let step = 0; step < steps; step++) {
        const row = data.slice((item * steps + step) * classes, (item * steps + step + 1) * classes);
        const index = row.indexOf(Math.max(...row));
        if (index !== blank && index !== last) {
          text += characters[index];
          sum += row[index] as number;
        }
        last = index;
      }
      return { text, score: text === '' ? 0 : expect.closeTo(sum / text.length, 9) };
    });
    const probabilities = float32([size, steps, classes], data);
    expect(decodeCtc(ops, probabilities, { characters, blank })).toEqual(wanted);
    const others = characters.filter((_, i) => i !== blank);
    expect(decodeCtc(ops, probabilities, { characters: others, blank })).toEqual(wanted);
  }
});

test('softmax makes probabilities of scores', () => {
  const [decoded] = decodeCtc(ops, float32([1, 2], [0, 0]), { characters: 'a', blank: 1, activation: 'softmax' });
  expect(decoded).toEqual({ text: 'a', score: 0.5 });
});

test('decodeCtc refuses with the values', () => {
  const steps = float32([1, 3], [1, 0, 0]);
  const refused = (work: () => unknown, ...says: string[]) =>
    expectRefusal(ops, work, { code: 'INVALID_ARGUMENT', says: ['decodeCtc: ', ...says] });
  refused(() => decodeCtc(ops, steps, { characters: 'abcd' }), '4 characters for 3 classes', '2 without the blank');
  refused(() => decodeCtc(ops, steps, { characters: ['a', 3 as never] }), 'character 1 is 3');
  refused(() => decodeCtc(ops, steps, { characters: new Array(2 ** 32 - 1) }), '4294967295 characters for 3 classes');
  refused(() => decodeCtc(ops, steps, {} as never), 'characters are undefined');
  refused(() => decodeCtc(ops, steps, { characters: 'ab', blank: 3 }), 'blank is 3');
  refused(() => decodeCtc(ops, float32([3], [1, 0, 0]), { characters: 'ab' }), 'dims [3]');
  refused(() => decodeCtc(ops, float32([2 ** 30, 0, 3], []), { characters: 'ab' }), 'dims [1073741824,0,3]');
});

/** A map that is 0.9 where `isText` says so. */
function mapOf(width: number, height: number, isText: (x: number, y: number) => boolean) {
  const data = Array.from({ length: width * height }, (_, i) => (isText(i % width, Math.floor(i / width)) ? 0.9 : 0.1));
  return float32([1, 1, height, width], data);
}

const everything: TextBoxesOptions = { minimumSize: 0, minimumScore: 0, unclip: 0, most: 1e6 };

test('there is a box for each component, and it holds its pixels', () => {
  const random = generator(seed);
  for (let round = 0; round < 30; round++) {
    const [width, height, of] = [1 + (random() % 24), 1 + (random() % 24), 2 + (random() % 4)];
    const isText = Array.from({ length: width * height }, () => random() % of === 0);
    const boxes = textBoxes(
      ops,
      mapOf(width, height, (x, y) => isText[y * width + x] as boolean),
      everything,
    );
    const components = componentsOf(isText, width, height);
    expect(boxes).toHaveLength(components.length);
    for (const component of components) {
      const holding = boxes.filter(({ corners }) => component.every(([x, y]) => isWithin(corners, x, y)));
      expect(holding.length).toBeGreaterThan(0);
      const smallest = Math.min(...holding.map(({ corners }) => areaOf(corners)));
      expect(smallest).toBeLessThan(smallestArea(component) + 1e-6);
    }
  }
});

test('combs and spirals are one component each', () => {
  // Teeth meet in the last row alone: each was a component of its own until then.
  const comb = mapOf(41, 30, (x, y) => x % 2 === 0 || y === 29);
  expect(textBoxes(ops, comb, everything).map(({ box }) => box)).toEqual([[0, 0, 40, 29]]);
  const spiral = mapOf(21, 21, (x, y) => {
    const ring = Math.min(x, y, 20 - x, 20 - y);
    return ring % 2 === 0 ? !(x === ring && y === ring + 1) : x === ring && y === ring + 1;
  });
  expect(textBoxes(ops, spiral, everything)).toHaveLength(1);
});

type Pixel = readonly [x: number, y: number];

function componentsOf(isText: readonly boolean[], width: number, height: number): Pixel[][] {
  const seen = isText.map((one) => !one);
  return isText.flatMap((_, start) => {
    if (seen[start]) return [];
    const component: Pixel[] = [];
    const waiting = [start];
    seen[start] = true;
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)];
      component.push([x, y]);
      for (let i = 0; i < 9; i++) {
        const [column, row] = [x - 1 + (i % 3), y - 1 + Math.floor(i / 3)];
        const next = row * width + column;
        if (column < 0 || row < 0 || column >= width || row >= height || seen[next]) continue;
        seen[next] = true;
        waiting.push(next);
      }
    }
    return [component];
  });
}

/** Whether a point lies on the inner side of all sides, which run clockwise. */
function isWithin(corners: readonly Pixel[], x: number, y: number): boolean {
  return corners.every(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % 4] as Pixel;
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax) > -1e-6;
  });
}

function areaOf([a, b, , d]: readonly Pixel[]): number {
  const length = (from: Pixel, to: Pixel) => Math.hypot(to[0] - from[0], to[1] - from[1]);
  return length(a as Pixel, b as Pixel) * length(a as Pixel, d as Pixel);
}

/** The area of the smallest rectangle whose direction is a whole number of half degrees. */
function smallestArea(pixels: readonly Pixel[]): number {
  const spread = (x: number, y: number) => {
    const places = pixels.map((pixel) => pixel[0] * x + pixel[1] * y);
    return Math.max(...places) - Math.min(...places);
  };
  const angles = Array.from({ length: 180 }, (_, i) => (i * Math.PI) / 360);
  return Math.min(
    ...angles.map((angle) => spread(Math.cos(angle), Math.sin(angle)) * spread(-Math.sin(angle), Math.cos(angle))),
  );
}

test('a line in any direction gives a box in that direction', () => {
  for (const degrees of [-40, -17, 0, 8, 31]) {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const map = mapOf(160, 160, (x, y) => {
      const [dx, dy] = [x - 80, y - 80];
      return Math.abs(dx * cos + dy * sin) <= 50 && Math.abs(dy * cos - dx * sin) <= 8;
    });
    const [line, ...others] = textBoxes(ops, map, { unclip: 0 });
    expect(others).toEqual([]);
    const [topLeft = [0, 0], topRight = [0, 0]] = line?.corners ?? [];
    const found = (Math.atan2(topRight[1] - topLeft[1], topRight[0] - topLeft[0]) * 180) / Math.PI;
    expect(Math.abs(found - degrees)).toBeLessThan(1);
    // Pixels on the sides count, too: some of them are outside.
    expect(line?.score).toBeGreaterThan(0.8);
  }
});

test('boxes grow by their area times unclip over their perimeter', () => {
  const map = mapOf(100, 60, (x, y) => x >= 20 && x <= 70 && y >= 20 && y <= 30);
  const distance = (50 * 10 * 1.5) / (2 * 60);
  const [line] = textBoxes(ops, map);
  const wanted = [20 - distance, 20 - distance, 70 + distance, 30 + distance];
  expect(line?.box.map((place, i) => Math.abs(place - (wanted[i] as number)) < 1e-9)).toEqual([true, true, true, true]);
});

test('the score is the mean within the box, with the pixels on its sides', () => {
  const map = mapOf(40, 40, (x, y) => x >= 10 && x <= 29 && y >= 10 && y <= 19 && !(x === 10 && y === 15));
  const [line] = textBoxes(ops, map);
  expect(line?.score).toBeCloseTo((199 * 0.9 + 0.1) / 200, 6);
});

test('boxes within boxes have scores of their own, whatever lies beside them', () => {
  const isFrame = (x: number, y: number, side: number) => Math.max(Math.abs(x - 50), Math.abs(y - 50)) === side;
  for (const beside of [0.1, Number.NaN, Number.NEGATIVE_INFINITY]) {
    const pixels = Array.from({ length: 101 * 101 }, (_, i) => {
      const [x, y] = [i % 101, Math.floor(i / 101)];
      return isFrame(x, y, 20) || isFrame(x, y, 30) ? 0.9 : isFrame(x, y, 45) ? beside : 0.1;
    });
    const map = float32([101, 101], pixels);
    const scores = textBoxes(ops, map, { minimumScore: 0 }).map(({ score }) => score);
    const mean = (side: number, bright: number) => 0.1 + (0.8 * bright) / (2 * side + 1) ** 2;
    expect(scores).toEqual([expect.closeTo(mean(30, 240 + 160), 6), expect.closeTo(mean(20, 160), 6)]);
  }
});

test('small and improbable boxes are left out', () => {
  const map = mapOf(60, 60, (x, y) => (x < 20 && y < 3) || (x > 30 && y > 40));
  expect(textBoxes(ops, map)).toHaveLength(1);
  expect(textBoxes(ops, map, { minimumSize: 2 })).toHaveLength(2);
  expect(textBoxes(ops, map, { minimumScore: 0.95 })).toEqual([]);
  expect(textBoxes(ops, map, { threshold: 0.95 })).toEqual([]);
  expect(textBoxes(ops, float32([1, 1, 0, 5], []))).toEqual([]);
});

test('boxes come in the order in which they are read, in pixels of the image', () => {
  const image = { data: new Uint8Array(200 * 100 * 3), width: 200, height: 100, channels: 3 };
  const prepared = ops.fromImage(image, { resize: [50, 50], fit: 'contain', position: 'top-left' });
  const parts = [
    [30, 2, 45, 8],
    [2, 4, 20, 10],
    [5, 16, 40, 22],
  ];
  const map = mapOf(50, 50, (x, y) => parts.some((part) => isIn(part as [number, number, number, number], x, y)));
  const boxes = textBoxes(ops, map, { unclip: 0, prepared }).map(({ box }) => box);
  expect(boxes).toEqual([
    [8, 16, 80, 40],
    [120, 8, 180, 32],
    [20, 64, 160, 88],
  ]);
  const grown = textBoxes(ops, map, { unclip: 9, prepared }).flatMap(({ box }) => box);
  expect(Math.min(...grown)).toBe(0);
  expect(Math.max(...grown)).toBeLessThanOrEqual(200);
  prepared.dispose();
});

const isIn = ([left, top, right, bottom]: [number, number, number, number], x: number, y: number) =>
  x >= left && x <= right && y >= top && y <= bottom;

test('textBoxes refuses with the values', () => {
  const refused = (map: unknown, options: object, ...says: string[]) =>
    expectRefusal(ops, () => textBoxes(ops, map as never, options as never), {
      code: 'INVALID_ARGUMENT',
      says: ['textBoxes: ', ...says],
    });
  const map = float32([1, 1, 2, 2], [0, 0, 0, 0]);
  refused(float32([1, 2, 1, 1], [0, 0]), {}, 'dims [1,2,1,1]');
  refused(float32([2], [0, 0]), {}, 'dims [2]');
  refused(float32([2, 1, 1, 1], [0, 0]), {}, 'a batch of 2');
  refused(map, { unclip: -1 }, 'unclip is -1');
  refused(map, { threshold: Number.NaN }, 'threshold is NaN');
  refused(map, { boxThreshold: 1 }, "no option 'boxThreshold'");
});

const bytes = (width: number, height: number, value: (x: number, y: number) => number) => {
  const data = Array.from({ length: width * height }, (_, i) => value(i % width, Math.floor(i / width)));
  return { type: 'uint8', dims: [1, 1, height, width], data } as const;
};
const grayOf = (data: ArrayLike<number>) => Array.from({ length: data.length / 4 }, (_, i) => data[4 * i]);

test('an upright rectangle is cut out as it is', () => {
  const image = bytes(20, 10, (x, y) => 10 * y + x);
  const { data, width, height } = straighten(ops, image, [
    [5, 2],
    [9, 2],
    [9, 4],
    [5, 4],
  ]);
  expect([width, height]).toEqual([4, 2]);
  expect(grayOf(data)).toEqual([25, 26, 27, 28, 35, 36, 37, 38]);
});

test('a rectangle in any direction has the elements between the pixels, and those of the edge beyond it', () => {
  const plane = (x: number, y: number) => 3 * x + 2 * y + 10;
  const image = bytes(40, 40, (x, y) => plane(x, y));
  for (const degrees of [-30, 10, 45, 120]) {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const at = (u: number, v: number) => [20 + u * cos - v * sin, 20 + u * sin + v * cos] as const;
    const picture = straighten(ops, image, [at(-10, -5), at(10, -5), at(10, 5), at(-10, 5)]);
    expect([picture.width, picture.height]).toEqual([20, 10]);
    for (const [i, value] of grayOf(picture.data).entries()) {
      const [x, y] = at((i % 20) - 9.5, Math.floor(i / 20) - 4.5);
      expect(Math.abs((value as number) - plane(x - 0.5, y - 0.5))).toBeLessThan(0.51);
    }
  }
  const { data } = straighten(
    ops,
    bytes(2, 2, () => 7),
    [
      [-2, -2],
      [4, -2],
      [4, 4],
      [-2, 4],
    ],
  );
  expect(new Set(grayOf(data))).toEqual(new Set([7]));
});

test('turnHigh turns what is high to the left', () => {
  const image = bytes(4, 12, (_, y) => 20 * y);
  const corners = [
    [0, 0],
    [4, 0],
    [4, 12],
    [0, 12],
  ] as const;
  const turned = straighten(ops, image, corners, { turnHigh: true });
  expect([turned.width, turned.height]).toEqual([12, 4]);
  expect(grayOf(turned.data).slice(0, 3)).toEqual([0, 20, 40]);
  expect(straighten(ops, image, corners).height).toBe(12);
});

test('straighten refuses with the values', () => {
  const image = bytes(4, 4, () => 0);
  const refused = (given: unknown, corners: unknown, ...says: string[]) =>
    expectRefusal(ops, () => straighten(ops, given as never, corners as never), {
      code: 'INVALID_ARGUMENT',
      says: ['straighten: ', ...says],
    });
  const square = [
    [0, 0],
    [4, 0],
    [4, 4],
    [0, 4],
  ];
  refused(float32([4, 4], new Array(16).fill(0)), square, 'dims [4,4]');
  refused(image, square.slice(1), 'four points');
  refused(image, new Array(4), 'four points');
  refused(image, [[0, Number.NaN], ...square.slice(1)], 'four points');
  refused(image, [[0, 1e9], ...square.slice(1)], 'four points');
  refused(image, undefined, 'undefined');
});

test('a map without pixels has no text, however high it is', () => {
  using map = ops.empty('float32', [1, 1, 2 ** 40, 0]);
  expect(textBoxes(ops, map)).toEqual([]);
});
