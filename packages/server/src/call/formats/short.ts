// What is printed at once, and what in pieces with other calls in between.

/** Characters that are printed at once. */
export const shortText = 64 * 1024;

/** Whether a value has few characters in any format. No more of it is looked at than that takes. */
export const isShort = (value: unknown): boolean => roomAfter(value, shortText) >= 0;

/** What a value leaves of the room; negative where it needs more. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length;
  let left = room - 8;
  if (!hasParts(value)) return left;
  if (Array.isArray(value)) for (let at = 0; at < value.length && left >= 0; at++) left = roomAfter(value[at], left);
  else
    for (const name in value) {
      left = roomAfter(value[name], left - name.length);
      if (left < 0) break;
    }
  return left;
}

/** Whether a value is a list, or an object that JSON goes into. */
export const hasParts = (value: unknown): value is unknown[] | Record<string, unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { toJSON?: unknown }).toJSON !== 'function';

/** Parts put together until they are too many to be printed at once. */
export function* joinParts(parts: Iterable<string>): Generator<string> {
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length < shortText) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

export const isHighSurrogate = (code: number) => code >= 0xd800 && code < 0xdc00;
