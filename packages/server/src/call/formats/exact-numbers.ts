// Numbers of a JSON text that a double cannot carry: integers are refused, others keep their digits (docs/design.md, difference 3).
import { ExactNumber, fail } from '@sluice/contract';
import { bodyBounds } from './bounds.ts';
import { endOfText, findJsonPlace } from './json-place.ts';

/** Begins a text that stands for a number. It has a character that is none, so that no other text begins like it. */
const mark = '\uffff exact number ';

/**
 * A well-formed JSON text with a marked text in place of each number that a double would make another of. An integer past 2^53
 * is a 400 naming the field, more of the others than are bounded are a 400.
 */
export function markLongNumbers(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  visitLongNumbers(text, (start, end) => {
    const number = text.slice(start, end);
    if (isInteger(number)) {
      if (number.length <= maxDecimal && Number.isSafeInteger(Number(number))) return;
      throw fail('http.unsafeInteger', { field: findJsonPlace(text, start).path, value: number.slice(0, 40) });
    }
    if (!losesDigits(number)) return;
    if (parts.length >= 2 * bodyBounds.longNumbers)
      throw fail('http.tooManyLongNumbers', { limit: bodyBounds.longNumbers });
    parts.push(text.slice(copied, start), `"${mark}${number}"`);
    copied = end;
  });
  return copied === 0 ? text : parts.join('') + text.slice(copied);
}

/** Puts numbers in place of marked texts, in the value itself. */
export const unmarkNumbers = (value: unknown): unknown =>
  replaceScalars(value, (scalar) =>
    typeof scalar === 'string' && scalar.startsWith(mark) ? new ExactNumber(scalar.slice(mark.length)) : scalar,
  );

/** Puts marked texts in place of numbers, in the value itself: a thread sends no objects of a class. */
export function markNumbers(value: unknown): { value: unknown; hasMarks: boolean } {
  let hasMarks = false;
  const marked = replaceScalars(value, (scalar) => {
    if (!(scalar instanceof ExactNumber)) return scalar;
    hasMarks = true;
    return mark + scalar.text;
  });
  return { value: marked, hasMarks };
}

function replaceScalars(value: unknown, replace: (scalar: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return replace(value);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = replaceScalars(value[index], replace);
    return value;
  }
  const members = value as Record<string, unknown>;
  for (const name in members) members[name] = replaceScalars(members[name], replace);
  return value;
}

/** A number as long as this may have more digits than a double carries; an exponent may take any beyond its reach. */
const longNumber = 16;

/** Calls `visit` with start and end of each number that is long or has an exponent. */
function visitLongNumbers(text: string, visit: (start: number, end: number) => void): void {
  for (let at = 0; at < text.length; at++) {
    let code = text.charCodeAt(at);
    if (code === 34) at = endOfText(text, at) - 1;
    else if (code === 45 || (code >= 48 && code <= 57)) {
      const start = at;
      let hasExponent = false;
      for (code = text.charCodeAt(at + 1); isOfNumber(code); code = text.charCodeAt(at + 1)) {
        if (code === 101 || code === 69) hasExponent = true;
        at++;
      }
      if (hasExponent || at - start >= longNumber - 1) visit(start, at + 1);
    }
  }
}

/** A digit, `.`, `+`, `-`, `e` or `E`. */
const isOfNumber = (code: number): boolean =>
  (code >= 48 && code <= 57) || code === 46 || code === 43 || code === 45 || code === 101 || code === 69;

const isInteger = (number: string): boolean => !/[.eE]/.test(number);

/** A decimal is a text of a thousand characters at most; a longer one is refused as the double it is. */
const maxDecimal = 1000;

/** Whether a double prints as another number; one that no double reaches prints as none. */
function losesDigits(number: string): boolean {
  if (number.length > maxDecimal) return false;
  const printed = String(Number(number));
  return printed !== number && normalize(printed) !== normalize(number);
}

/** Sign, digits without zeros at either end, and the power of ten of the last: equal for equal numbers. */
function normalize(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = numberParts.exec(number) ?? ['', number];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
const numberParts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
