// The steps as TypeScript.
import type { ImageOptions } from 'broadloom';
import type { SoundPresets, SoundSteps } from './options.js';

/** Factors are written as fractions, as people write them. */
function valueCode(value: unknown): string {
  if (value === 1 / 255) return '1 / 255';
  if (value === 1 / 127.5) return '1 / 127.5';
  if (Array.isArray(value)) return `[${value.map(valueCode).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `${name}: ${valueCode(member)}`);
    return `{ ${members.join(', ')} }`;
  }
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function optionLines(options: ImageOptions): string[] {
  return Object.entries(options).map(([name, value]) => `  ${name}: ${valueCode(value)},`);
}

/** @param preset the name of the preset that the options are */
export function imageTypescript(options: ImageOptions, preset: string | undefined): string {
  const lines = optionLines(options);
  const name = preset && (/^\w+$/.test(preset) ? `.${preset}` : `['${preset}']`);
  return [
    "import { load } from 'broadloom';",
    '',
    'const ops = await load();',
    ...(name === undefined ? [] : [`// The options are those of ops.presets${name}.`]),
    ...(lines.length === 0 ? ['const options = {};'] : ['const options = {', ...lines, '} as const;']),
    "const response = await fetch('image.jpg');",
    'const tensor = await ops.readImage(await response.blob(), options);',
    'console.log(tensor.type, tensor.dims);',
    '// Frames of a video, a canvas, or pixels: ops.fromImage(source, options).',
    '',
  ].join('\n');
}

function featureLines({ features, rate, bins, length }: SoundSteps, presets: SoundPresets): string[] {
  if (features === 'waveform') return [];
  if (features === 'fbank') {
    return [`const features = ops.fbank(samples, { sampleRate: ${rate}, melBins: ${bins} });`];
  }
  const preset = presets[features];
  const changes = [
    ...(rate === preset?.sampleRate ? [] : [`sampleRate: ${rate}`]),
    ...(length === undefined ? [] : [`length: ${length}`]),
  ];
  if (changes.length === 0) return [`const features = ops.logMel(samples, '${features}');`];
  const spread = /^\w+$/.test(features) ? `logMelPresets.${features}` : `logMelPresets['${features}']`;
  return [`const features = ops.logMel(samples, { ...${spread}, ${changes.join(', ')} });`];
}

export function soundTypescript(steps: SoundSteps, presets: SoundPresets): string {
  const { features, rate, length } = steps;
  const isCut = length !== undefined && (features === 'waveform' || features === 'fbank');
  const lines = featureLines(steps, presets);
  const usesPresets = lines.some((line) => line.includes('logMelPresets'));
  const name = isCut ? 'whole' : 'samples';
  return [
    `import { load${usesPresets ? ', logMelPresets' : ''} } from 'broadloom';`,
    '',
    'const ops = await load();',
    "const response = await fetch('sound.wav');",
    'const context = new OfflineAudioContext(1, 1, 48000);',
    'const sound = await context.decodeAudioData(await response.arrayBuffer());',
    `const ${name} = ops.fromAudio(sound, { to: ${rate} });`,
    ...(isCut
      ? [
          `const samples = new Float32Array(${length});`,
          `samples.set(whole.data.subarray(0, ${length})); // zeros behind a sound that is shorter`,
        ]
      : []),
    ...lines,
    `console.log(${lines.length > 0 ? 'features.dims' : 'samples'});`,
    '',
  ].join('\n');
}
