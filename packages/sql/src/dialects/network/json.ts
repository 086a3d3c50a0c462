// JSON text straight from the text a database sends: no value is made an object or a number on its way.
import { exactNumber, jsonText, toWire, type WireKind } from '../../convert/wire.ts';

/** Makes the JSON of a value out of the text the database printed for it. */
export type TextWriter = (text: string) => string;

/** A number where it round-trips exactly, else a string. Most are short integers, which are JSON as they are. */
export const writeNumber: TextWriter = (text) => {
  if (isShortInteger(text)) return text;
  const value = exactNumber(text);
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
};

/** At most 15 digits, no zero in front: always exact, and always JSON. */
function isShortInteger(text: string): boolean {
  const length = text.length;
  let at = text.charCodeAt(0) === minus ? 1 : 0;
  if (at === length || length > 15 || (text.charCodeAt(at) === zero && length > 1)) return false;
  for (; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < zero || code > nine) return false;
  }
  return true;
}

const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;

export const writeText: TextWriter = jsonText;

/** `t` and `f`, `1` and `0`, in all the words a database may have for them. */
export const writeBoolean: TextWriter = (text) => String(toWire('boolean', text));

/** How the values of a kind are written where the engine prints them like everyone. Bytes are the engine's own. */
export const textWriters: Record<Exclude<WireKind, 'binary'>, TextWriter> = {
  number: writeNumber,
  boolean: writeBoolean,
  text: writeText,
  any: writeText,
};
