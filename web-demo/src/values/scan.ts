// Finds the elements in a text: words and quoted strings between white space, commas and brackets. One pass and no
// recursion, so that texts of any size and depth are safe.
import { ListError, quote } from './list-error.js';
import { quotedAt } from './quoted.js';

/** Is told what stands in a text, in turn. */
export interface Reader {
  word(word: string): void;
  quoted(value: string): void;
  comma(): void;
  open(bracket: string): void;
  close(bracket: string): void;
}

const deepest = 1000;
const closers: { readonly [bracket: string]: string } = { '[': ']', '(': ')' };

/** NumPy pads the parts of complex numbers: `1. +2.5j` is one element. */
const imaginaryPart = /[ \t]+[+-][ \t]*[^\s,，()[\]]*[jJ](?![^\s,，()[\]])/y;

type Class = 'word' | 'space' | 'comma' | 'bracket' | 'quote' | 'line end';

function classOf(code: number): Class {
  if (code > 0x2d && code < 0x5b) return 'word'; // digits, points, capitals: nearly everything
  if (code === 0x20 || code === 0x09 || code === 0xa0 || code === 0xfeff || code === 0x3000) return 'space';
  if (code >= 0x0a && code <= 0x0d) return 'line end';
  if (code === 0x2c || code === 0xff0c) return 'comma'; // also the comma of Chinese keyboards
  if (code === 0x28 || code === 0x29 || code === 0x5b || code === 0x5d) return 'bracket';
  if (code === 0x22 || code === 0x27) return 'quote';
  return 'word';
}

/** The end of the word at `start`. Words of strings may have spaces and quotes in them, numbers may not. */
function wordEnd(text: string, start: number, spaced: boolean): number {
  for (let i = start + 1; i < text.length; i++) {
    const found = classOf(text.charCodeAt(i));
    if (found !== 'word' && !(spaced && (found === 'space' || found === 'quote'))) return i;
  }
  return text.length;
}

/** Checks that brackets match and that something stands before every comma. */
export function scan(text: string, reader: Reader, spaced = false): void {
  const opened: number[] = [];
  let isEmpty = true; // nothing stands before here since the last comma or opening bracket
  for (let i = 0; i < text.length; ) {
    switch (classOf(text.charCodeAt(i))) {
      case 'comma':
        if (isEmpty) throw new ListError('emptyBeforeComma', i + 1);
        isEmpty = true;
        reader.comma();
        i++;
        break;
      case 'bracket':
        isEmpty = bracket(text, i, opened, reader);
        i++;
        break;
      case 'quote': {
        const { value, end } = quotedAt(text, i);
        reader.quoted(value);
        isEmpty = false;
        i = end;
        break;
      }
      case 'word': {
        let end = wordEnd(text, i, spaced);
        const word = text.slice(i, end);
        if (spaced) reader.word(word.trimEnd());
        else {
          imaginaryPart.lastIndex = end;
          const rest = /[jJ]$/.test(word) ? undefined : imaginaryPart.exec(text)?.[0];
          end += rest?.length ?? 0;
          reader.word(rest === undefined ? word : word + rest.replace(/\s/g, ''));
        }
        isEmpty = false;
        i = end;
        break;
      }
      default:
        i++;
    }
  }
  const open = opened.pop();
  if (open !== undefined) throw new ListError('notClosed', quote(text.charAt(open)), open + 1);
}

/** Whether a list has just begun. */
function bracket(text: string, place: number, opened: number[], reader: Reader): boolean {
  const character = text.charAt(place);
  if (character in closers) {
    if (opened.push(place) > deepest) throw new ListError('tooDeep', deepest);
    reader.open(character);
    return true;
  }
  const open = opened.pop();
  if (open === undefined) throw new ListError('closesNothing', quote(character), place + 1);
  if (closers[text.charAt(open)] !== character) {
    throw new ListError('closedByOther', quote(text.charAt(open)), open + 1, quote(character), place + 1);
  }
  reader.close(character);
  return false;
}
