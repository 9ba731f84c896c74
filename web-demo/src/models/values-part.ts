// Types of values, and the buttons that show their elements.
import type { ModelValue } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { modelsTexts } from '../texts/models.js';
import { showBytes } from '../views/units.js';
import { isTensorInput } from './feeds.js';
import { currentLooked, initializerKey, lookAtInitializer, lookAtValue } from './looked.js';
import type { InitializerLook } from './protocol.js';
import { openReport } from './session.js';
import { typeText } from './type-info.js';

export type Texts = (typeof modelsTexts)['en'];

type Told = Partial<Pick<ModelValue, 'declared' | 'inferred'>> | undefined;

/** The type and sizes of a value: as declared, and as inferred where that is another text. */
export function typeLine(value: Told, t: Texts): TemplateResult | typeof nothing {
  const [declared, inferred] = [value?.declared, value?.inferred].map((info) =>
    info == null ? undefined : typeText(info),
  );
  if (declared === undefined && inferred === undefined) return html`<span class="muted">${t.unknown}</span>`;
  if (declared === undefined || inferred === undefined || declared === inferred) {
    return html`<span class="mono panel-type">${declared ?? inferred}</span>`;
  }
  return html`<span class="panel-type"><span class="mono">${declared}</span> <span class="muted">${t.declared}</span></span>
    <span class="panel-type"><span class="mono">${inferred}</span> <span class="muted">${t.inferred}</span></span>`;
}

/** Whether runs can be asked for. */
function canRun(): boolean {
  const report = openReport();
  return report?.inputs.every(isTensorInput) ?? false;
}

/** Shows the elements of a value: of `read`, or of a value of the model in a run. */
export function valueButton(
  t: Texts,
  key: string,
  name: string,
  read: string | (() => void),
): TemplateResult | typeof nothing {
  const isRun = typeof read === 'string';
  if (isRun && !canRun()) return nothing;
  const isShown = currentLooked()?.key === key;
  return html`<button
    class="panel-value"
    type="button"
    aria-pressed=${isShown}
    aria-label=${isRun ? t.runFor(visible(name)) : t.elementsOf(visible(name))}
    @click=${isRun ? () => lookAtValue(read) : read}
  >${isRun ? t.valueInRun : t.elements}</button>`;
}

export function initializerButton(t: Texts, index: number, { name, bytes, external }: InitializerLook): TemplateResult {
  return html`<span class="muted">${showBytes(bytes)}${external === null ? '' : ` · ${visible(external.location)}`}</span>
    ${valueButton(t, initializerKey(index), name, () => lookAtInitializer(index))}`;
}
