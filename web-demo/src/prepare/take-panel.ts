// The steps to take away: as code, as an .onnx file, and the tensor as a file.

import presets from 'virtual:presets';
import { html, type TemplateResult } from 'lit-html';
import { ask } from '../runtime/client.js';
import { change, type State } from '../state.js';
import { type PrepareTexts, prepareTexts } from '../texts/prepare.js';
import { copyText } from '../views/copy.js';
import { saveFile } from '../views/save-file.js';
import '../views/take-panel.css';
import { imageModel, type NoOnnx, noImageOnnx } from './image-onnx.js';
import { sizeOf } from './image-size.js';
import { fieldsOfOptions, presetOf } from './options.js';
import type { PrepareReport } from './protocol.js';
import { imagePython, torchvisionPython } from './python.js';
import { hasSoundOnnx, soundModel } from './sound-onnx.js';
import { soundPython } from './sound-python.js';
import { imageTypescript, soundTypescript } from './typescript.js';

const codeLanguages = ['typescript', 'python', 'torchvision'] as const;
type CodeLanguage = (typeof codeLanguages)[number];

let chosen: CodeLanguage = 'typescript';
/** The outcome of the last copy, and the code. */
let said: { readonly what: 'copied' | 'copyFailed'; readonly code: string } | undefined;

type Codes = { readonly [language in CodeLanguage]: string | undefined };

function codesOf(report: PrepareReport): Codes {
  if (report.kind === 'sound') {
    const { steps } = report;
    return {
      typescript: soundTypescript(steps, presets.sounds),
      python: soundPython(steps, presets.sounds),
      torchvision: undefined,
    };
  }
  const { options } = report;
  return {
    typescript: imageTypescript(options, presetOf(fieldsOfOptions(options), presets.images)),
    python: imagePython(options),
    torchvision: torchvisionPython(options),
  };
}

async function copy(code: string): Promise<void> {
  said = { what: (await copyText(code)) ? 'copied' : 'copyFailed', code };
  change({});
}

function noOnnx(report: PrepareReport): NoOnnx | undefined {
  if (report.kind === 'image') return noImageOnnx(report.options);
  return hasSoundOnnx(report.steps, presets.sounds) ? undefined : { why: 'sound', word: report.steps.features };
}

function modelOf(report: PrepareReport): Uint8Array {
  if (report.kind === 'sound') return soundModel(report.steps, presets.sounds);
  const { options, tensor } = report;
  return imageModel(options, sizeOf(tensor, options.layout));
}

async function saveTensor({ tensor }: PrepareReport): Promise<void> {
  const file = await ask((worker) => worker.npy(tensor.key));
  if (file !== undefined) saveFile('tensor.npy', file.bytes);
}

/** Arrow keys choose the next tab, as in every list of tabs. */
function moveTab(event: KeyboardEvent, shown: readonly CodeLanguage[], current: CodeLanguage): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return;
  chosen = shown[(shown.indexOf(current) + step + shown.length) % shown.length] as CodeLanguage;
  change({});
  document.getElementById(`prepare-tab-${chosen}`)?.focus();
}

function codePart(t: PrepareTexts, codes: Codes): TemplateResult {
  const shown = codeLanguages.filter((language) => codes[language] !== undefined);
  const current = shown.includes(chosen) ? chosen : 'python';
  const code = codes[current] ?? '';
  const tab = (language: CodeLanguage): TemplateResult => html`<button
    role="tab"
    id=${`prepare-tab-${language}`}
    aria-selected=${language === current}
    aria-controls="prepare-code"
    tabindex=${language === current ? 0 : -1}
    @click=${() => {
      chosen = language;
      change({});
    }}
  >
    ${t.languages[language]}
  </button>`;
  return html`<div role="tablist" aria-label=${t.code} @keydown=${(event: KeyboardEvent) => moveTab(event, shown, current)}>
      ${shown.map(tab)}
    </div>
    <pre class="scroll-x" id="prepare-code" role="tabpanel" tabindex="0" aria-labelledby=${`prepare-tab-${current}`}>${code}</pre>
    <div class="buttons">
      <button class="button" type="button" id="prepare-copy" @click=${() => void copy(code)}>${t.copy}</button>
      <span role="status">${said?.code === code ? t[said.what] : ''}</span>
    </div>`;
}

export function takePart({ language }: State, report: PrepareReport): TemplateResult {
  const t = prepareTexts[language];
  const reason = noOnnx(report);
  return html`<section aria-labelledby="prepare-take" class="take-panel">
    <h2 id="prepare-take">${t.take}</h2>
    ${codePart(t, codesOf(report))}
    <div class="buttons">
      <button
        class="button quiet"
        type="button"
        id="prepare-onnx"
        ?disabled=${reason !== undefined}
        @click=${() => saveFile('prepare.onnx', modelOf(report))}
      >
        ${t.onnx}
      </button>
      <button class="button quiet" type="button" id="prepare-npy" @click=${() => void saveTensor(report)}>${t.npy}</button>
    </div>
    <p class="muted">
      ${reason === undefined ? t.onnxNotes[report.kind] : t.noOnnx[reason.why](reason.word)}
    </p>
  </section>`;
}
