/**
 * A number of a JSON text that has more digits than a double carries. Where a decimal is stored or compared, and inside JSON, its
 * text counts (contract/database-tables.md §9); everywhere else it is the number that `JSON.parse` would make of it.
 */
export class ExactNumber extends Number {
  /** As it was sent. */
  readonly text: string;

  constructor(text: string) {
    super(text);
    this.text = text;
  }
}

/** A value as JSON, with the digits of exact numbers as they were sent. */
export function toExactJson(value: unknown): string {
  if (!holdsExactNumber(value)) return JSON.stringify(value);
  const marked = JSON.stringify(value, (_name, member) =>
    member instanceof ExactNumber ? mark + member.text : member,
  );
  return marked.replace(markedNumber, '$1');
}

function holdsExactNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof ExactNumber || Object.values(value).some(holdsExactNumber);
}

/** Begins with a character that is none, so that no other text begins like it. */
const mark = '\uffff exact number ';
const markedNumber = new RegExp(`"${mark}(-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)"`, 'g');
