// Which requirements there are, and ids in and out of text: text in, lists out.

/** The ids a test should name, in the page's order. Notes state nothing testable; OPEN points inform, they do not bind. */
export function requirementIds(page) {
  return page
    .split('\n')
    .map((line) => /^\| ([A-Z]+-\d{3}) \|.*\| (\w+) \|\s*$/.exec(line))
    .filter((row) => row && row[2] !== 'note' && !row[1].startsWith('OPEN-'))
    .map((row) => row[1]);
}

/** The group an id belongs to: `SES` of `SES-010`. */
export const groupOf = (id) => id.slice(0, id.indexOf('-'));

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

/** The other way round: `['SES-001', 'SES-002', 'SES-004']` as `SES-001…002 SES-004`. */
export function rangesOf(ids) {
  const number = (id) => Number(id.slice(-3));
  const runs = [];
  for (const id of ids) {
    const last = runs.at(-1)?.at(-1);
    if (last && groupOf(id) === groupOf(last) && number(id) === number(last) + 1) runs.at(-1).push(id);
    else runs.push([id]);
  }
  return runs.map((run) => (run.length === 1 ? run[0] : `${run[0]}…${run.at(-1).slice(-3)}`)).join(' ');
}
