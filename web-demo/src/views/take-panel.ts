// The exports of a call: code, a model with its inputs and outputs, the result, a link.
import { html, type TemplateResult } from 'lit-html';
import type { CallDraft } from '../drafts.js';
import { callToLink } from '../link.js';
import { ask, unanswered } from '../runtime/client.js';
import type { CallReport } from '../runtime/protocol.js';
import { callOf } from '../stage/calls.js';
import { change, type State } from '../state.js';
import { onnxruntimeCode } from '../take/onnxruntime.js';
import { pythonCode } from '../take/python.js';
import { typescriptCode } from '../take/typescript.js';
import { tryTexts } from '../texts/try.js';
import { copyText } from './copy.js';
import { saveFile } from './save-file.js';
import { callTitle } from './title.js';
import './take-panel.css';

type CodeLanguage = 'typescript' | 'python' | 'onnxruntime';
const codeLanguages: readonly CodeLanguage[] = ['typescript', 'python', 'onnxruntime'];

let shown: CodeLanguage = 'typescript';
/** The outcome of the last copy, and its call. */
let said: { readonly what: 'copied' | 'copyFailed' | 'linkTooLong'; readonly call: CallDraft } | undefined;
/** The model of the call that onnxruntime-web's code was asked for: it comes from the worker. */
let model: { readonly call: CallDraft; readonly bytes: Uint8Array | undefined } | undefined;

function modelOf(call: CallDraft): Uint8Array | undefined {
  if (model?.call === call) return model.bytes;
  model = { call, bytes: undefined };
  const asked = ask((worker) => worker.model(call)).catch(unanswered);
  void asked.then((answer) => {
    if (model?.call !== call || !answer.ok) return;
    model = { call, bytes: answer.bytes };
    change({});
  });
  return undefined;
}

/** The code that was written last: the page is rendered more often than a call is made. */
let written: { readonly report: CallReport; readonly language: CodeLanguage; readonly code: string } | undefined;

function codeOf(call: CallDraft, report: CallReport): string {
  if (written?.report === report && written.language === shown) return written.code;
  const code = writeCode(call, report);
  if (code !== '') written = { report, language: shown, code };
  return code;
}

/** Nothing while the model that the code holds is on its way. */
function writeCode(call: CallDraft, report: CallReport): string {
  if (shown === 'typescript') return typescriptCode(call);
  if (shown === 'python') return pythonCode(call, report.outputs);
  const bytes = modelOf(call);
  return bytes === undefined ? '' : onnxruntimeCode(call, bytes);
}

/** The call of the page, which is one of its own on the page of another operator than the one in "Try it". */
const callIn = (state: State): CallDraft => callOf(state) ?? state.call;

/** Copies what `write` makes of the address of the call. */
async function copyLink(state: State, page: 'try' | 'embed', write: (url: string) => string): Promise<void> {
  const link = callToLink(callIn(state));
  if (link !== undefined) return copy(write(`${location.href.replace(/#.*/, '')}#/${page}/${link}`), state);
  said = { what: 'linkTooLong', call: callIn(state) };
  change({});
}

/** The frame that shows the call within another page. Links and titles of calls hold nothing that HTML escapes. */
function frame(url: string, title: string | undefined): string {
  return `<iframe src="${url}" title="${title}" width="100%" height="400" loading="lazy"></iframe>`;
}

async function copy(text: string, state: State): Promise<void> {
  const call = callIn(state);
  said = { what: (await copyText(text)) ? 'copied' : 'copyFailed', call };
  change({});
}

async function saveModel(state: State, whole: boolean): Promise<void> {
  const call = callIn(state);
  const name = `${call.operator.toLowerCase()}_opset${call.opset}`;
  const made = ask((worker) => (whole ? worker.test(call, name) : worker.model(call)));
  const answer = await made.catch(unanswered);
  if (answer.ok) saveFile(`${name}.${whole ? 'zip' : 'onnx'}`, answer.bytes);
  else change({ problem: answer.problem });
}

async function saveResult({ report }: State, index: number): Promise<void> {
  const output = report?.outputs[index];
  const file = output && (await ask((worker) => worker.npy(output.key)));
  if (file) saveFile(`${output.name}.npy`, file.bytes);
}

const noReport = { report: undefined, reported: undefined };

export function takePanel(state: State): TemplateResult {
  const { language, problem } = state;
  const t = tryTexts[language];
  const call = callIn(state);
  const { report, reported } = state.reported?.operator === call.operator ? state : noReport;
  const isReady = problem === undefined && report !== undefined;
  const code = isReady && reported !== undefined ? codeOf(reported, report) : '';
  const tab = (name: CodeLanguage) => html`<button
    role="tab"
    id=${`tab-${name}`}
    aria-selected=${name === shown}
    aria-controls="code"
    tabindex=${name === shown ? 0 : -1}
    @click=${() => {
      shown = name;
      said = undefined;
      change({});
    }}
  >
    ${t.languages[name]}
  </button>`;
  return html`<div class="take-panel">
    <div role="tablist" aria-label=${t.code} @keydown=${moveTab}>${codeLanguages.map(tab)}</div>
    <pre class="scroll-x" id="code" role="tabpanel" tabindex="0" aria-labelledby=${`tab-${shown}`}>${code}</pre>
    <div class="buttons">
      <button class="button" id="copy-code" ?disabled=${code === ''} @click=${() => void copy(code, state)}>${t.copy}</button>
      <button
        class="button quiet"
        id="copy-link"
        @click=${() => void copyLink(state, 'try', String)}
      >
        ${t.link}
      </button>
      <button
        class="button quiet"
        id="copy-frame"
        @click=${() => void copyLink(state, 'embed', (url) => frame(url, callTitle(state)))}
      >
        ${t.frame}
      </button>
      <span role="status">${said?.call === call ? t[said.what] : ''}</span>
    </div>
    <h3>${t.downloads}</h3>
    <div class="buttons">
      <button class="button quiet" id="save-onnx" ?disabled=${!isReady} @click=${() => void saveModel(state, false)}>
        ${t.onnx}
      </button>
      <button class="button quiet" id="save-test" ?disabled=${!isReady} @click=${() => void saveModel(state, true)}>
        ${t.test}
      </button>
      ${(report?.outputs ?? []).map(
        ({ name, written }, i) =>
          html`<button
            class="button quiet save-npy"
            ?disabled=${!isReady || !written}
            @click=${() => void saveResult(state, i)}
          >
            ${t.npy(name)}
          </button>`,
      )}
    </div>
  </div>`;
}

/** Arrow keys choose the next tab, as in every list of tabs. */
function moveTab(event: KeyboardEvent): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return;
  const count = codeLanguages.length;
  shown = codeLanguages[(codeLanguages.indexOf(shown) + step + count) % count] as CodeLanguage;
  change({});
  document.getElementById(`tab-${shown}`)?.focus();
}
