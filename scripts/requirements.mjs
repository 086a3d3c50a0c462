// Which requirements there are and which ids a test names: text in, lists out. spec.mjs prints them.

/** The ids a test should name, in the page's order. Notes state nothing testable; OPEN points inform, they do not bind. */
export function requirementIds(page) {
  return page
    .split('\n')
    .map((line) => /^\| ([A-Z]+-\d{3}) \|.*\| (\w+) \|\s*$/.exec(line))
    .filter((row) => row && row[2] !== 'note' && !row[1].startsWith('OPEN-'))
    .map((row) => row[1]);
}

/** The ids in the string literals of a test file, where titles are; one in a comment promises nothing and is not counted. */
export function namedIds(source) {
  return stringsOf(source).flatMap(idsIn);
}

/** Ids in a title, ranges written out: `SES-010…012`, `SES-010..012` and `SES-010…SES-012` name three each. */
export function idsIn(title) {
  return [...title.matchAll(/\b([A-Z]{1,3})-(\d{3})(?:(?:…|\.\.\.?)(?:\1-)?(\d{3}))?(?!\d)/g)].flatMap(
    ([, group, first, last = first]) =>
      Array.from(
        { length: Number(last) - Number(first) + 1 },
        (_, i) => `${group}-${String(Number(first) + i).padStart(3, '0')}`,
      ),
  );
}

/** String literals, template literals included, in order; comments and everything else passed over. */
function stringsOf(source) {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
  return [...source.matchAll(token)].map(([text]) => text).filter((text) => !text.startsWith('/'));
}
