/** A place in a text for people, both numbers from 1. */
export function describePlace(text: string, position: number): string {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return `line ${line}, column ${position - lineStart + 1}`;
}
