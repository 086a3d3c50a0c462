// npm run spec: how many requirements of each group a test names, and which are open (-- --open: just those, one a line).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { namedIds, requirementIds } from './requirements.mjs';

const wanted = requirementIds(readFileSync(join(root, 'docs/requirements.md'), 'utf8'));
const named = new Set(testFiles().flatMap((path) => namedIds(readFileSync(path, 'utf8'))));
const open = wanted.filter((id) => !named.has(id));

if (process.argv.includes('--open')) {
  for (const id of open) console.log(id);
} else {
  const groupOf = (id) => id.slice(0, id.indexOf('-'));
  for (const group of new Set(wanted.map(groupOf))) {
    const all = wanted.filter((id) => groupOf(id) === group);
    const missing = open.filter((id) => groupOf(id) === group);
    console.log(`${group.padEnd(4)}${`${all.length - missing.length} of ${all.length}`.padStart(11)} named by a test`);
    if (missing.length > 0) console.log(`      open: ${ranges(missing).join(' ')}`);
  }
  console.log(
    `\n${wanted.length - open.length} of ${wanted.length} requirements are named by a test, ${open.length} are open.`,
  );
  const unknown = [...named].filter((id) => !wanted.includes(id) && wanted.some((it) => groupOf(it) === groupOf(id)));
  if (unknown.length > 0) console.log(`Named by a test, but a note or no requirement: ${unknown.sort().join(' ')}`);
}

function testFiles() {
  const under = ['packages', 'e2e'].filter((folder) => existsSync(join(root, folder)));
  return under.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((it) => it.isFile() && !/[\\/](node_modules|dist)([\\/]|$)/.test(it.parentPath))
      .filter((it) => /\.(test|spec)\.tsx?$/.test(it.name) || (folder === 'e2e' && it.name.endsWith('.ts')))
      .map((it) => join(it.parentPath, it.name)),
  );
}

/** `['SES-001', 'SES-002', 'SES-004']` as `['SES-001…002', 'SES-004']`. */
function ranges(ids) {
  const number = (id) => Number(id.slice(-3));
  const runs = ids.reduce((all, id) => {
    const last = all.at(-1);
    if (last && number(id) === number(last.at(-1)) + 1) last.push(id);
    else all.push([id]);
    return all;
  }, []);
  return runs.map((it) => (it.length === 1 ? it[0] : `${it[0]}…${it.at(-1).slice(-3)}`));
}
