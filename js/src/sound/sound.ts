import { invalidArgument } from '../basics/error.js';
import { checkedOptions } from '../basics/names.js';
import { show } from '../basics/show.js';
import { arrayName, lengthOf } from '../basics/typed-arrays.js';
import type { Context } from '../calls/context.js';
import type { Memory, Source } from '../calls/memory.js';
import { type Dtype, dtypeOf } from '../tensor/types.js';

/** The members of an `AudioBuffer` that are read; it may be of any realm. */
export interface AudioBufferLike {
  /** Channels. */
  readonly numberOfChannels: number;
  /** Samples of a channel. */
  readonly length: number;
  /** Samples per second. */
  readonly sampleRate: number;
  /** The samples of a channel. */
  getChannelData(channel: number): Float32Array;
}

/** Options of {@link SoundMethods.fromAudio}. */
export interface SoundOptions {
  /** The rate of the samples, in Hz. An `AudioBuffer` tells its own. */
  readonly from?: number | undefined;
  /** The rate of the result, in Hz. Without it, the rate stays. */
  readonly to?: number | undefined;
  /**
   * How many channels a typed array has, whose samples of one moment lie side by side: 1 if it is left out. An `AudioBuffer`
   * tells its own.
   */
  readonly channels?: number | undefined;
}

/** The samples of a sound, as they were read from the user's value. */
interface Sound {
  readonly dtype: Dtype;
  readonly parts: readonly Source[];
  /** The number of samples of all channels together. */
  readonly length: number;
  readonly channels: number;
  readonly isPlanar: boolean;
  readonly sampleRate: number | undefined;
}

const mostChannels = 65535;

/** Makes the tensor that `fromAudio` returns. @internal */
export function fromAudio(context: Context, sound: unknown, options: SoundOptions | undefined): void {
  const { memory } = context;
  const given = checkedOptions('fromAudio: ', options, ['from', 'to', 'channels']);
  const from = optionalNumber('fromAudio', 'from', given.from);
  const to = optionalNumber('fromAudio', 'to', given.to);
  const channels = optionalNumber('fromAudio', 'channels', given.channels);
  const read = readBuffer(memory, sound) ?? readSamples(memory, sound, channels);
  const own = { from: read.sampleRate, channels: read.channels };
  if (from !== undefined && own.from !== undefined && !Object.is(from, own.from))
    throw invalidArgument(`fromAudio: 'from' is ${from}, but the AudioBuffer has the rate ${own.from}`);
  if (channels !== undefined && !Object.is(channels, own.channels))
    throw invalidArgument(`fromAudio: 'channels' is ${channels}, but the AudioBuffer has ${own.channels}`);
  const rate = from ?? own.from;
  if (rate === undefined && to !== undefined)
    throw invalidArgument(`fromAudio: 'to' is ${to}, wanted 'from' as well: the rate of the samples`);
  const handle = copySound(context, read);
  try {
    memory.begin();
    for (const number of [rate ?? 1, to ?? rate ?? 1, read.channels, read.isPlanar ? 1 : 0]) memory.number(number);
    memory.check(memory.glue.fromAudio(handle));
  } finally {
    memory.glue.disposeTensor(handle);
  }
}

/** The number that an option is; its value is for the core to check. @internal */
export function optionalNumber(call: string, name: string, value: unknown): number | undefined {
  if (value === undefined || typeof value === 'number') return value;
  throw invalidArgument(`${call}: '${name}' is ${show(value)}, wanted a number`);
}

function isBuffer(value: unknown): value is AudioBufferLike {
  return typeof (value as AudioBufferLike | null | undefined)?.getChannelData === 'function';
}

function readBuffer(memory: Memory, sound: unknown): Sound | undefined {
  if (!isBuffer(sound)) return undefined;
  const { numberOfChannels, length, sampleRate } = sound;
  if (!Number.isInteger(numberOfChannels) || numberOfChannels < 1 || numberOfChannels > mostChannels)
    throw invalidArgument(
      `fromAudio: the AudioBuffer has numberOfChannels ${show(numberOfChannels)}, wanted 1 to ${mostChannels}`,
    );
  if (typeof sampleRate !== 'number')
    throw invalidArgument(`fromAudio: the AudioBuffer has sampleRate ${show(sampleRate)}, wanted a number`);
  const arrays: ArrayBufferView[] = [];
  for (let channel = 0; channel < numberOfChannels; channel++) {
    const data: unknown = sound.getChannelData(channel);
    if (arrayName(data) !== 'Float32Array')
      throw invalidArgument(`fromAudio: channel ${channel} of the AudioBuffer is ${show(data)}, wanted a Float32Array`);
    arrays.push(data as Float32Array);
  }
  // From here on, no code of others runs.
  const parts = arrays.map((array, channel) => {
    if (lengthOf(array) !== length)
      throw invalidArgument(
        `fromAudio: channel ${channel} of the AudioBuffer has ${lengthOf(array)} samples, wanted ${show(length)}`,
      );
    return memory.sourceOf(array, 'the samples');
  });
  const dtype = dtypeOf('float32') as Dtype;
  return {
    dtype,
    parts,
    length: length * numberOfChannels,
    channels: numberOfChannels,
    isPlanar: true,
    sampleRate,
  };
}

function readSamples(memory: Memory, sound: unknown, channels: number | undefined): Sound {
  const name = arrayName(sound);
  if (name !== 'Float32Array' && name !== 'Int16Array')
    throw invalidArgument(
      `fromAudio: the sound is ${show(sound)}, wanted an AudioBuffer, a Float32Array or an Int16Array`,
    );
  const array = sound as ArrayBufferView;
  return {
    dtype: dtypeOf(name === 'Int16Array' ? 'int16' : 'float32') as Dtype,
    parts: [memory.sourceOf(array, 'the samples')],
    length: lengthOf(array),
    channels: channels ?? 1,
    isPlanar: false,
    sampleRate: undefined,
  };
}

/** The handle of a tensor with the samples: the caller disposes of it. */
function copySound(context: Context, { dtype, parts, length }: Sound): number {
  const { memory } = context;
  memory.begin();
  memory.numbers([length]);
  memory.check(memory.glue.createTensor(dtype.id, length));
  const handle = context.takeHandle();
  let address = memory.glue.tensorBytes(handle);
  for (const part of parts) {
    if (!memory.copyIn(address, part)) {
      memory.glue.disposeTensor(handle);
      throw invalidArgument('fromAudio: the samples were detached while the call was read');
    }
    address += part.length;
  }
  return handle;
}
