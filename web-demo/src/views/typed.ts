// The text of a field as somebody types it.
import { noChange } from 'lit-html';
import { Directive, directive, type PropertyPart } from 'lit-html/directive.js';
import { setCommittedValue } from 'lit-html/directive-helpers.js';
import { change } from '../state.js';

/** The field that is typed in. */
let typing: EventTarget | null = null;

/** Lets the field that is typed in show the text of the page again. */
export function endTyping(): void {
  typing = null;
}

addEventListener('input', ({ target }) => void (typing = target), { capture: true });
addEventListener('focusout', () => {
  if (typing === null) return;
  endTyping();
  queueMicrotask(() => change({})); // the field may leave while the page is rendered
});

class Typed extends Directive {
  override render(text: string): unknown {
    return text;
  }

  override update(part: PropertyPart, [text]: [string]): unknown {
    const { element } = part;
    if (element === typing || (element as HTMLInputElement).value === text) return noChange;
    setCommittedValue(part); // the text before is another one, whatever was rendered last
    return text;
  }
}

/** For the value of a text field: the text of the page, but what is typed stays as it is until the field is left. */
export const typed = directive(Typed);
