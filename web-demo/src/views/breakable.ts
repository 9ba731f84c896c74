// Names that are broken between their words.
import { html, type TemplateResult } from 'lit-html';

/** A name that a line may end in after an underscore, such as `coordinate_transformation_mode`. */
export function breakable(name: string): (string | TemplateResult)[] {
  return name.split(/(?<=_)(?=[^_])/).map((part, i) => (i === 0 ? part : html`<wbr />${part}`));
}
