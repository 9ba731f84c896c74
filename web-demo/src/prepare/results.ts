// The result of each step: pictures or waves, and the tensor.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { State } from '../state.js';
import { type PrepareTexts, prepareTexts } from '../texts/prepare.js';
import { showDims, showTime } from '../views/units.js';
import { tensorView } from '../views/viewer.js';
import './pictures.js';
import type { Envelope, ImageReport, Pixels, PrepareReport, SoundReport } from './protocol.js';
import { currentSession } from './session.js';

interface PictureStep {
  readonly name: string;
  readonly pixels: Pixels;
  /** The tensor of the step: its type and dims. */
  readonly tensor?: string;
  readonly note?: string;
}

function pictureStep(t: PrepareTexts, { name, pixels, tensor, note }: PictureStep): TemplateResult {
  const label = t.pictureLabel(name, pixels.width, pixels.height);
  return html`<figure class="prepare-step">
    <figcaption>
      <h3>${name}</h3>
      <span class="muted">${t.size(pixels.width, pixels.height)}</span>
    </figcaption>
    <pixel-picture .given=${{ pixels, label }}></pixel-picture>
    ${tensor === undefined ? nothing : html`<p class="mono">${tensor}</p>`}
    ${note === undefined ? nothing : html`<p class="muted">${note}</p>`}
  </figure>`;
}

function waveStep(t: PrepareTexts, name: string, envelope: Envelope, [size, tensor]: [string, string]): TemplateResult {
  return html`<figure class="prepare-step prepare-wide">
    <figcaption>
      <h3>${name}</h3>
      <span class="muted">${size}</span>
    </figcaption>
    <sound-wave .given=${{ envelope, label: t.waveLabel(name) }}></sound-wave>
    <p class="mono">${tensor}</p>
  </figure>`;
}

/** A place of the tensor by one of the source. */
function placeText(axis: string, scale: number, pad: number): string {
  const shift = pad === 0 ? '' : ` ${pad < 0 ? '−' : '+'} ${Math.abs(pad)}`;
  return `${axis}′ = ${Number(scale.toPrecision(4))} ${axis}${shift}`;
}

/** The pictures from the source to the tensor and back. */
function pictureSteps(t: PrepareTexts, report: ImageReport, source: Pixels): TemplateResult {
  const { resized, prepared, again, place, options, tensor } = report;
  const count = { gray: 1, rgb: 3, bgr: 3, rgba: 4 }[options.channels ?? 'rgb'];
  const bytes = ({ width, height }: Pixels): string => `uint8 ${showDims([height, width, count])}`;
  const last = options.crop !== undefined ? t.croppedStep : options.resize === undefined ? t.bytesStep : t.preparedStep;
  const elements = `${tensor.type} ${showDims(tensor.dims)}`;
  return html`<div class="prepare-row">
      ${pictureStep(t, { name: t.sourceStep, pixels: source, tensor: `uint8 ${showDims([source.height, source.width, 4])}` })}
      ${resized === undefined ? nothing : pictureStep(t, { name: t.resizedStep, pixels: resized, tensor: bytes(resized) })}
      ${pictureStep(t, { name: last, pixels: prepared, tensor: bytes(prepared) })}
      ${pictureStep(t, { name: t.againStep, pixels: again, tensor: elements, note: t.againNote })}
    </div>
    <p class="muted">
      ${t.places}
      <span class="mono">${placeText('x', place.scaleX, place.padLeft)}, ${placeText('y', place.scaleY, place.padTop)}</span>
    </p>`;
}

function soundSteps(t: PrepareTexts, report: SoundReport): TemplateResult {
  const { wave, resampled, spectrogram, samples, steps, seconds, rate, channels, tensor } = report;
  const name = t.spectrogramStep;
  return html`<div class="prepare-row">
      ${waveStep(t, t.waveStep, wave, [t.soundSize(seconds, rate, channels), `float32 ${showDims([channels, Math.round(seconds * rate)])}`])}
      ${waveStep(t, t.resampledStep, resampled, [t.sampleCount(samples, steps.rate), `float32 ${showDims([samples])}`])}
      ${
        spectrogram === undefined
          ? nothing
          : html`<figure class="prepare-step prepare-wide prepare-spectrogram">
              <figcaption>
                <h3>${name}</h3>
                <span class="muted">${t.size(spectrogram.width, spectrogram.height)}</span>
              </figcaption>
              <pixel-picture
                .given=${{ pixels: spectrogram, label: t.pictureLabel(name, spectrogram.width, spectrogram.height) }}
              ></pixel-picture>
              <p class="mono">${tensor.type} ${showDims(tensor.dims)}</p>
              <p class="muted">${t.spectrogramNote}</p>
            </figure>`
      }
    </div>
    <p class="muted">${t.decodedNote}</p>`;
}

/** The call that makes the features of a sound. */
function callOf({ steps: { features } }: SoundReport): string | undefined {
  return features === 'waveform' ? undefined : features === 'fbank' ? 'fbank' : 'logMel';
}

/** Clocks of browsers are coarse: some calls are shorter than a tick. */
function timeText(microseconds: number): string {
  return microseconds === 0 ? '< 1 ms' : showTime(microseconds);
}

function times(t: PrepareTexts, report: PrepareReport): string[] {
  if (report.kind === 'image') return [t.time('fromImage', timeText(report.time))];
  const call = callOf(report);
  const resampling = t.time('fromAudio', timeText(report.resampleTime));
  return call === undefined ? [resampling] : [resampling, t.time(call, timeText(report.time))];
}

export function results({ language }: State, report: PrepareReport): TemplateResult {
  const t = prepareTexts[language];
  const { image } = currentSession();
  const { type, dims } = report.tensor;
  return html`<section aria-labelledby="prepare-results">
    <h2 id="prepare-results">${t.results}</h2>
    <p class="prepare-times">
      <span class="chip mono" id="prepare-dims">${t.dims(type, showDims(dims))}</span>
      ${times(t, report).map((line) => html`<span class="muted mono">${line}</span>`)}
    </p>
    ${report.kind === 'sound' ? soundSteps(t, report) : image === undefined ? nothing : pictureSteps(t, report, image.content)}
  </section>`;
}

/** The elements of the tensor, to be looked into. */
export function tensorPart(state: State, report: PrepareReport): TemplateResult {
  const t = prepareTexts[state.language];
  const { isMoving } = currentSession();
  return html`<section aria-labelledby="prepare-tensor">
    <h2 id="prepare-tensor">${t.tensor}</h2>
    ${isMoving ? html`<p class="muted">${t.movingNote}</p>` : tensorView(state, report.tensor)}
  </section>`;
}
