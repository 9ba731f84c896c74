// readWav: formats, chunks as programs write them, and files that are none.
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import { announceSeed, generator, seed } from './helpers/random.js';
import { expectRefusal } from './helpers/runtime.js';
import { chunk, data, floats, format, riff, text, u16, u32, wav } from './helpers/wav.js';

const ops = await load();
announceSeed('wav');

/** The channels of a sound as lists. */
const channelsOf = (bytes: Uint8Array): number[][] => {
  const sound = ops.readWav(bytes);
  return Array.from({ length: sound.numberOfChannels }, (_, channel) => [...sound.getChannelData(channel)]);
};

const refuses = (bytes: unknown, message: string) =>
  expectRefusal(ops, () => ops.readWav(bytes as Uint8Array), { code: 'INVALID_ARGUMENT', says: [message] });

test('8 bits are unsigned: 128 is silence', () => {
  expect(channelsOf(wav({ bits: 8 }, [0, 128, 192, 255]))).toEqual([[-1, 0, 0.5, 127 / 128]]);
});

test('16, 24 and 32 bits are divided by 2^15, 2^23 and 2^31', () => {
  expect(channelsOf(wav({ bits: 16 }, [0x00, 0x80, 0xff, 0x7f, 0x01, 0x00]))).toEqual([[-1, 32767 / 32768, 2 ** -15]]);
  expect(channelsOf(wav({ bits: 24 }, [0, 0, 0x80, 0xff, 0xff, 0x7f, 1, 0, 0, 0xff, 0xff, 0xff]))).toEqual([
    [-1, 1 - 2 ** -23, 2 ** -23, -(2 ** -23)],
  ]);
  expect(channelsOf(wav({ bits: 32 }, [0, 0, 0, 0x80, 0, 0, 0, 0x40, 1, 0, 0, 0]))).toEqual([[-1, 0.5, 2 ** -31]]);
});

test('bits that fill no byte are the upper ones: 12 of 16, 20 of 24', () => {
  expect(channelsOf(wav({ bits: 12, width: 2 }, [0, 0x40]))).toEqual([[0.5]]);
  expect(channelsOf(wav({ bits: 20, width: 3 }, [0, 0, 0xc0]))).toEqual([[-0.5]]);
});

test('floats of 32 and 64 bits are taken as they are', () => {
  const values = [0.1, -2.5, Number.NaN, Number.POSITIVE_INFINITY, 1e-42];
  expect(channelsOf(wav({ code: 3, bits: 32 }, floats(4, values)))).toEqual([values.map(Math.fround)]);
  expect(channelsOf(wav({ code: 3, bits: 64 }, floats(8, [...values, 1e300])))).toEqual([
    [...values.map(Math.fround), Number.POSITIVE_INFINITY],
  ]);
});

test('a sound has the members of an AudioBuffer, and fromAudio takes it', () => {
  const sound = ops.readWav(wav({ bits: 16, channels: 2, sampleRate: 44100 }, [0, 0x40, 0, 0xc0, 0, 0x20, 0, 0x20]));
  expect([sound.sampleRate, sound.numberOfChannels, sound.length, sound.duration]).toEqual([44100, 2, 2, 2 / 44100]);
  expect(sound.getChannelData(0)).toEqual(Float32Array.of(0.5, 0.25));
  expect(sound.getChannelData(1)).toEqual(Float32Array.of(-0.5, 0.25));
  expect(ops.fromAudio(sound).toArray()).toEqual(Float32Array.of(0, 0.25));
  expect(ops.fromAudio(sound, { to: 22050 }).dims).toEqual([1]);
  for (const channel of [2, -1, 0.5, Number.NaN])
    expectRefusal(ops, () => sound.getChannelData(channel), { code: 'INVALID_ARGUMENT', says: ['wanted 0 to 1'] });
});

test('random sounds of each format and any channels are read to the bit, wherever the bytes lie in their buffer', () => {
  const random = generator(seed);
  const below = (most: number) => random() % most;
  for (const bits of [8, 16, 24, 32])
    for (let round = 0; round < 20; round++) {
      const channels = 1 + below(9);
      const length = below(40);
      const width = bits / 8;
      const isExtensible = below(2) === 1;
      const bytes = Array.from({ length: channels * length * width }, () => below(256));
      const file = wav({ bits, channels, isExtensible }, bytes);
      const apart = new Uint8Array(file.length + 3).subarray(below(4) % 4).subarray(0, file.length);
      apart.set(file);
      const value = (frame: number, channel: number) => {
        const at = (frame * channels + channel) * width;
        const whole = bytes.slice(at, at + width).reduce((sum, byte, i) => sum + byte * 2 ** (8 * i), 0);
        const signed = width === 1 ? whole - 128 : whole >= 2 ** (bits - 1) ? whole - 2 ** bits : whole;
        return Math.fround(signed / 2 ** (bits - 1));
      };
      const wanted = Array.from({ length: channels }, (_, channel) =>
        Array.from({ length }, (_, frame) => value(frame, channel) + 0),
      );
      expect(channelsOf(apart)).toEqual(wanted);
    }
});

test('an extensible format has the codec in its GUID, also with more channels than two', () => {
  expect(channelsOf(wav({ bits: 16, channels: 3, isExtensible: true }, [0, 0x40, 0, 0x20, 0, 0x10]))).toEqual([
    [0.5],
    [0.25],
    [0.125],
  ]);
  expect(channelsOf(wav({ code: 3, bits: 32, isExtensible: true }, floats(4, [0.75])))).toEqual([[0.75]]);
  // 20 bits that count, in 24.
  expect(channelsOf(wav({ bits: 24, valid: 20, isExtensible: true }, [0, 0, 0x40]))).toEqual([[0.5]]);
  refuses(wav({ code: 6, bits: 8, isExtensible: true }, [1]), 'samples are A-law (0x6)');
  const foreign = wav({ bits: 16, isExtensible: true }, [0, 0]);
  foreign[56] = 0x77; // within the GUID's end
  refuses(foreign, 'a codec of its own (0xfffe)');
});

const half = data([0, 0x40]);
const mono = format({ bits: 16 });

for (const [what, file] of [
  [
    'LIST, fact and others before and after the samples',
    riff(chunk('LIST', text('INFO')), mono, chunk('fact', u32(1)), half, chunk('id3 ', [1, 2])),
  ],
  ['an odd chunk with its byte of padding', riff(chunk('LIST', [1, 2, 3]), mono, half)],
  ['an odd chunk whose padding was forgotten', riff([...text('LIST'), ...u32(3), 1, 2, 3], mono, half)],
  ['a format with an extension of no bytes', riff(chunk('fmt ', [...mono.slice(8), ...u16(0)]), half)],
  ['a chunk without bytes', riff(chunk('junk', []), mono, chunk('PAD ', []), half)],
  ['a size of 0 in the head of a stream', riff(mono, [...text('data'), ...u32(0), 0, 0x40]).fill(0, 4, 8)],
  ['sizes of a stream that had no samples yet', riff(mono, [...text('data'), ...u32(0), 0, 0x40]).fill(36, 4, 5)],
  ['a size of 2^32 - 1', riff(mono, [...text('data'), ...u32(0xffffffff), 0, 0x40]).fill(255, 4, 8)],
  ['a size of 2^31 - 4096, as sox and espeak write', riff(mono, [...text('data'), ...u32(0x7ffff000), 0, 0x40])],
  ['a size of 2^31, as arecord writes', riff(mono, [...text('data'), ...u32(0x80000000), 0, 0x40])],
  ['a stream that ends within a frame', riff(mono, [...text('data'), ...u32(0xffffffff), 0, 0x40, 1])],
  ['a size that ends within a frame', riff(mono, chunk('data', [0, 0x40, 1]))],
  ['a RIFF size that is too small', riff(mono, half).fill(0, 4, 8)],
  ['a RIFF size that is too large', riff(mono, half).fill(255, 4, 8)],
  [
    'RF64 with its size in ds64',
    riff(
      chunk('ds64', [...u32(0), ...u32(0), ...u32(2), ...u32(0), ...Array(12).fill(0)]),
      mono,
      [...text('data'), ...u32(0xffffffff), 0, 0x40],
      chunk('LIST', [1, 2]),
    ).fill(0x52, 0, 1),
  ],
] as const)
  test(`the samples are found in a file with ${what}`, () => {
    const bytes = Uint8Array.from(file);
    if (what.startsWith('RF64')) bytes.set(text('RF64'));
    expect(channelsOf(bytes)).toEqual([[0.5]]);
  });

test('a file may have no samples', () => {
  for (const file of [riff(mono, data([])), riff(mono, data([]), chunk('LIST', [1, 2, 3, 4]))]) {
    const sound = ops.readWav(file);
    expect([sound.length, sound.duration, sound.getChannelData(0).length]).toEqual([0, 0, 0]);
    expect(ops.fromAudio(sound).dims).toEqual([0]);
  }
});

test('other files are told by their names', () => {
  for (const [head, says] of [
    ['fLaC', 'but FLAC'],
    ['OggS', 'but Ogg'],
    ['ID3', 'but MP3'],
    ['\xff\xfb', 'but MP3'],
    ['FORM\0\0\0\0AIFF', 'but AIFF'],
    ['\0\0\0\x20ftypM4A ', 'but MP4'],
    ['\x1aE\xdf\xa3', 'but WebM'],
    ['RIFX\0\0\0\0WAVE', 'RIFX'],
    ['RIFF\0\0\0\0AVI ', 'RIFF without WAVE'],
  ] as const)
    refuses(Uint8Array.from([...text(head), ...Array(20).fill(0)]), says);
  refuses(new Uint8Array(0), 'these 0 bytes are no WAV file');
  refuses(Uint8Array.from(text('<!doctype html>')), 'these 15 bytes are no WAV file');
  refuses(new ArrayBuffer(44), 'write new Uint8Array(buffer)');
  refuses('sound.wav', 'await readFile(path)');
});

test('compressed codecs are told by their names', () => {
  for (const [code, name] of [
    [2, 'Microsoft ADPCM (0x2)'],
    [6, 'A-law (0x6)'],
    [7, 'mu-law (0x7)'],
    [17, 'IMA ADPCM (0x11)'],
    [49, 'GSM 6.10 (0x31)'],
    [85, 'MP3 (0x55)'],
    [0x2000, 'an unknown codec (0x2000)'],
  ] as const)
    refuses(wav({ code, bits: 8 }, [1]), `samples are ${name}, wanted PCM or float: convert it`);
});

test('formats that contradict themselves are refused', () => {
  refuses(wav({ bits: 16, channels: 0 }, []), 'no channels');
  refuses(wav({ bits: 16, sampleRate: 0 }, []), 'the rate of the samples is 0');
  refuses(wav({ bits: 0 }, []), 'PCM of 0 bits');
  refuses(wav({ bits: 40 }, []), 'PCM of 40 bits');
  refuses(wav({ code: 3, bits: 16 }, []), 'float of 16 bits');
  refuses(wav({ code: 3, bits: 31 }, []), 'float of 31 bits');
  refuses(wav({ bits: 16, channels: 2, width: 1 }, []), '2 x 16 bits have a block of 2 bytes, wanted 4');
  refuses(riff(chunk('fmt ', [1, 0]), half), "the chunk 'fmt ' has 2 bytes");
  refuses(riff(chunk('fmt ', [...u16(0xfffe), ...mono.slice(10)]), half), 'wanted 40');
  refuses(riff(half, mono), "'data' comes before 'fmt '");
  refuses(riff(mono), "no chunk 'data'");
  refuses(riff(), "no chunk 'fmt '");
});

test('a file that was cut off anywhere is refused, and never read beyond its end', () => {
  const file = riff(chunk('LIST', [1, 2, 3]), mono, data([0, 0x40, 0, 0x40]));
  for (let length = 0; length < file.length; length++) refuses(file.subarray(0, length), 'readWav: ');
  refuses(file.subarray(0, file.length - 1), 'the file has 3 of 4 bytes of samples: it was cut off');
  refuses(file.subarray(0, 40), 'ends within the chunk "fmt "');
  refuses(file.subarray(0, 9), 'ends within its head');
});

test('sizes in a file ask for no memory', () => {
  const huge = riff(mono, [...text('data'), ...u32(0xfffffffe), 0, 0x40]);
  refuses(huge, 'it was cut off');
  const long = chunk('ds64', [...u32(0), ...u32(0), ...u32(0), ...u32(0x7fffffff), ...Array(12).fill(0)]);
  const giant = riff(long, mono, [...text('data'), ...u32(0xffffffff), 0, 0x40]);
  giant.set(text('RF64'));
  refuses(giant, 'it was cut off');
  const wide = wav({ bits: 8, channels: 65535 }, Array(65535).fill(128));
  expect([ops.readWav(wide).length, ops.readWav(wide).getChannelData(65534)]).toEqual([1, Float32Array.of(0)]);
});

test('damaged files are read or refused, and nothing else', () => {
  const random = generator(seed);
  const below = (most: number) => random() % most;
  const whole = riff(
    chunk('LIST', [1, 2, 3]),
    format({ bits: 24, channels: 2, isExtensible: true }),
    data(Array(60).fill(77)),
  );
  for (let round = 0; round < 3000; round++) {
    const file = whole.slice(0, below(8) === 0 ? below(whole.length) : whole.length);
    for (let i = below(4); i >= 0; i--) file[below(file.length || 1)] = below(256);
    try {
      const sound = ops.readWav(file);
      expect(sound.length * sound.numberOfChannels).toBeLessThanOrEqual(file.length);
    } catch (error) {
      expect(error).toMatchObject({ name: 'OnnxError', code: 'INVALID_ARGUMENT' });
    }
  }
});

test('bytes whose buffer was taken away are refused', () => {
  const file = wav({ bits: 16 }, [0, 0]);
  structuredClone(file.buffer, { transfer: [file.buffer] });
  refuses(file, 'detached');
});
