import { invalidArgument, OnnxError } from '../basics/error.js';
import { checkedFile } from '../basics/file-bytes.js';
import { show } from '../basics/show.js';
import { bytesOf } from '../basics/typed-arrays.js';
import type { AudioBufferLike } from './sound.js';

/** The sound of a WAV file, as {@link SoundMethods.readWav} gives it. It has the members of an `AudioBuffer`. */
export interface WavSound extends AudioBufferLike {
  /** In seconds. */
  readonly duration: number;
}

interface Format {
  /** How samples are written: `PCM` or `float`. */
  readonly codec: string;
  readonly channels: number;
  readonly sampleRate: number;
  /** Bytes of a sample. */
  readonly width: number;
}

type ReadSample = (view: DataView, at: number) => number;

/** Readers of samples by codec and bytes. All but floats have the range from -1 to 1, and 1 itself lies just above it. */
const readers: { readonly [name: string]: ReadSample } = {
  PCM1: (view, at) => (view.getUint8(at) - 128) / 2 ** 7,
  PCM2: (view, at) => view.getInt16(at, true) / 2 ** 15,
  PCM3: (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 2 ** 23,
  PCM4: (view, at) => view.getInt32(at, true) / 2 ** 31,
  float4: (view, at) => view.getFloat32(at, true),
  float8: (view, at) => view.getFloat64(at, true),
};

/** Codecs by their numbers in Microsoft's mmreg.h. */
const codecs: { readonly [code: number]: string } = {
  1: 'PCM',
  2: 'Microsoft ADPCM',
  3: 'float',
  6: 'A-law',
  7: 'mu-law',
  17: 'IMA ADPCM',
  49: 'GSM 6.10',
  80: 'MPEG',
  85: 'MP3',
  255: 'AAC',
};
const extensible = 0xfffe;
/** The bytes after the number of a codec in the GUID of an extensible format. */
const guidTail = '00 00 00 00 10 00 80 00 00 aa 00 38 9b 71';

const otherFormats: readonly (readonly [RegExp, string])[] = [
  [/^fLaC/, 'FLAC'],
  [/^OggS/, 'Ogg'],
  [/^(ID3|\xff[\xe2-\xfe])/, 'MP3'],
  [/^FORM.{4}AIF[FC]/s, 'AIFF'],
  [/^.{4}ftyp/s, 'MP4'],
  [/^.E\xdf\xa3/s, 'WebM'],
  [/^RIFX/, 'a WAV file of big-endian numbers, RIFX'],
  [/^RIFF.{4}(?!WAVE)/s, 'RIFF without WAVE'],
];

const advice = 'convert it (ffmpeg -i FILE out.wav), or let a browser decode it (decodeAudioData)';
const wrong = (what: string): OnnxError => invalidArgument(`readWav: ${what}`);

/** The sound in the bytes of a WAV file. @internal */
export function readWav(bytes: unknown): WavSound {
  const { buffer, offset, length } = bytesOf(checkedFile('readWav', bytes), 'bytes');
  const view = new DataView(buffer, offset, length);
  const { format, start, end } = findSamples(view);
  const { channels, sampleRate } = format;
  const frames = Math.floor((end - start) / (format.width * channels));
  const samples = samplesOf(view, format, start, frames);
  return {
    sampleRate,
    numberOfChannels: channels,
    length: frames,
    duration: frames / sampleRate,
    getChannelData(channel) {
      if (Number.isInteger(channel) && channel >= 0 && channel < channels)
        return samples.subarray(channel * frames, (channel + 1) * frames);
      throw invalidArgument(`getChannelData: channel is ${show(channel)}, wanted 0 to ${channels - 1}`);
    },
  };
}

/** All samples of the first channel, then all samples of the next. */
function samplesOf(view: DataView, { codec, channels, width }: Format, start: number, frames: number): Float32Array {
  const samples = newSamples(frames * channels);
  const read = readers[codec + width] as ReadSample;
  for (let channel = 0; channel < channels; channel++) {
    const first = channel * frames;
    let at = start + channel * width;
    for (let i = 0; i < frames; i++, at += channels * width) samples[first + i] = read(view, at);
  }
  return samples;
}

function newSamples(count: number): Float32Array {
  try {
    return new Float32Array(count);
  } catch (cause) {
    throw new OnnxError('OUT_OF_MEMORY', `readWav: the host gives no memory of ${4 * count} bytes`, { cause });
  }
}

function textAt(view: DataView, at: number, length: number): string {
  let text = '';
  for (let i = at; i < Math.min(at + length, view.byteLength); i++) text += String.fromCharCode(view.getUint8(i));
  return text;
}

/** The format of the samples, and where they lie. */
function findSamples(view: DataView): { format: Format; start: number; end: number } {
  const head = textAt(view, 0, 12);
  if (!/^(RIFF|RF64|BW64).{4}WAVE/s.test(head)) {
    if (/^(RIFF|RF64|BW64)/.test(head) && head.length < 12) throw cutOff(view, 'its head');
    const other = otherFormats.find(([pattern]) => pattern.test(head))?.[1];
    throw wrong(`these ${view.byteLength} bytes are no WAV file${other ? ` (but ${other}): ${advice}` : ''}`);
  }
  let format: Format | undefined;
  let longSize: number | undefined;
  for (let at = 12; at + 8 <= view.byteLength; ) {
    const name = textAt(view, at, 4);
    const size = view.getUint32(at + 4, true);
    const start = at + 8;
    if (name === 'data') {
      if (format === undefined) throw wrong("the chunk 'data' comes before 'fmt ', which tells what its bytes mean");
      return { format, start, end: endOfSamples(view, start, size, longSize) };
    }
    if (start + size > view.byteLength) throw cutOff(view, `the chunk ${show(name)}`);
    if (name === 'fmt ') format ??= readFormat(view, start, size);
    if (name === 'ds64' && size >= 16) longSize = Number(view.getBigUint64(start + 8, true));
    at = start + size;
    // A byte of padding follows an odd size, unless the writer forgot it: no name begins with 0.
    if (size % 2 === 1 && at < view.byteLength && view.getUint8(at) === 0) at++;
  }
  throw wrong(`the file has no chunk ${format ? "'data'" : "'fmt '"}, or ends before it`);
}

const cutOff = (view: DataView, where: string): OnnxError =>
  wrong(`the file ends within ${where}: it has ${view.byteLength} bytes, and was cut off`);

function readFormat(view: DataView, start: number, size: number): Format {
  if (size < 16) throw wrong(`the chunk 'fmt ' has ${size} bytes, wanted 16 or more`);
  let code = view.getUint16(start, true);
  const channels = view.getUint16(start + 2, true);
  const sampleRate = view.getUint32(start + 4, true);
  const frame = view.getUint16(start + 12, true);
  const bits = view.getUint16(start + 14, true);
  if (code === extensible) {
    if (size < 40) throw wrong(`the chunk 'fmt ' of an extensible format has ${size} bytes, wanted 40`);
    const tail = Array.from({ length: 14 }, (_, i) =>
      view
        .getUint8(start + 26 + i)
        .toString(16)
        .padStart(2, '0'),
    );
    if (tail.join(' ') === guidTail) code = view.getUint16(start + 24, true);
  }
  const codec = codecs[code] ?? (code === extensible ? 'a codec of its own' : 'an unknown codec');
  const width = Math.ceil(bits / 8);
  if (codec !== 'PCM' && codec !== 'float')
    throw wrong(`samples are ${codec} (0x${code.toString(16)}), wanted PCM or float: ${advice}`);
  if (readers[codec + width] === undefined || (codec === 'float' && bits % 32 !== 0))
    throw wrong(`samples are ${codec} of ${bits} bits, wanted PCM of 1 to 32, or float of 32 or 64`);
  if (channels === 0) throw wrong('the file has no channels');
  if (sampleRate === 0) throw wrong('the rate of the samples is 0');
  if (frame !== channels * width)
    throw wrong(`${channels} x ${bits} bits have a block of ${frame} bytes, wanted ${channels * width}`);
  return { codec, channels, sampleRate, width };
}

/**
 * Where the samples end. Programs that cannot go back to the head of a stream write 0 (then the size of `RIFF` includes nothing
 * after it), 2^32 - 1, or a size near 2^31. Then samples go to the end of the file. Sizes of 2^32 - 1 may also be in the chunk
 * `ds64`.
 */
function endOfSamples(view: DataView, start: number, size: number, longSize: number | undefined): number {
  const end = start + (size === 0xffffffff && longSize ? longSize : size);
  const whole = view.getUint32(4, true) + 8;
  const isEmpty = size === 0 && start < whole && whole <= view.byteLength;
  const isUnknown = (size === 0 && !isEmpty) || (size === 0xffffffff && !longSize);
  const isNear2To31 = size >= 0x7ffff000 && size <= 0x80000000 && end > view.byteLength;
  if (isUnknown || isNear2To31) return view.byteLength;
  if (end <= view.byteLength) return end;
  throw wrong(`the file has ${view.byteLength - start} of ${end - start} bytes of samples: it was cut off`);
}
