// The steps of a sound as Python: librosa, or torchaudio for Kaldi's filter banks.
import type { LogMelOptions } from 'broadloom';
import type { SoundPresets, SoundSteps } from './options.js';

const usual = 'samples, _ = librosa.load("sound.wav", sr=RATE, mono=True)';

function loadLines({ rate, length }: SoundSteps): string[] {
  return [
    usual.replace('RATE', String(rate)),
    ...(length === undefined ? [] : [`samples = librosa.util.fix_length(samples, size=${length})`]),
  ];
}

function logMelLines(options: LogMelOptions, rate: number): string[] {
  const { fftLength, hopLength, melBins, windowLength = fftLength, center = true, dropLast, sampleScale = 1 } = options;
  const { minFrequency = 0, maxFrequency = rate / 2, log = 'log10', floor = 1e-10 } = options;
  const { range, offset = 0, scale = 1, framesFirst } = options;
  const sizes = [
    ...[`n_fft=${fftLength}`, `hop_length=${hopLength}`, `win_length=${windowLength}`, 'window="hann"'],
    ...(center ? ['center=True', 'pad_mode="reflect"'] : ['center=False']),
  ];
  const mels = [
    ...[`sr=${rate}`, `n_fft=${fftLength}`, `n_mels=${melBins}`],
    ...(minFrequency === 0 ? [] : [`fmin=${minFrequency}`]),
    ...(maxFrequency === rate / 2 ? [] : [`fmax=${maxFrequency}`]),
  ];
  const unit = log === 'decibels' ? '10 * ' : '';
  return [
    ...(sampleScale === 1 ? [] : [`samples = samples * ${sampleScale}`]),
    `frames = librosa.stft(samples, ${sizes.join(', ')})${dropLast ? '[:, :-1]' : ''}`,
    `mels = librosa.filters.mel(${mels.join(', ')}) @ np.abs(frames) ** 2`,
    `x = ${unit}np.log10(np.maximum(mels, ${floor}))`,
    ...(range == null ? [] : [`x = np.maximum(x, x.max() - ${range})`]),
    `x = ((x + ${offset}) * ${scale}).astype(np.float32)${framesFirst ? '.T' : ''}`,
  ];
}

export function soundPython(steps: SoundSteps, presets: SoundPresets): string {
  const { features, rate, bins, length } = steps;
  if (features === 'fbank') {
    const cut = [
      `x = torch.zeros(1, ${length})`,
      `count = min(samples.shape[1], ${length})`,
      'x[:, :count] = samples[:, :count]',
      'samples = x',
    ];
    return [
      ...(length === undefined ? [] : ['import torch']),
      'import torchaudio',
      '',
      'samples, rate = torchaudio.load("sound.wav")',
      `samples = torchaudio.functional.resample(samples.mean(0, keepdim=True), rate, ${rate})`,
      ...(length === undefined ? [] : cut),
      `x = torchaudio.compliance.kaldi.fbank(samples, sample_frequency=${rate}, num_mel_bins=${bins}, dither=0)`,
      'print(x.dtype, tuple(x.shape))',
      '',
    ].join('\n');
  }
  const isFlat = features === 'waveform';
  return [
    'import librosa',
    ...(isFlat ? [] : ['import numpy as np']),
    '',
    ...loadLines(steps),
    ...(isFlat ? ['x = samples'] : logMelLines(presets[features] as LogMelOptions, rate)),
    'print(x.dtype, x.shape)',
    '',
  ].join('\n');
}
