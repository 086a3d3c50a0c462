// npm run quick: what to run before every commit, in a minute and a half: format, lint, rooms, words, types, and the tests
// that need neither a database server nor a page. npm test runs everything.
import { install, requireNode, root } from './prepare.mjs';
import { run, since, tool } from './run.mjs';

requireNode();
install();

const from = performance.now();
const script = (name, ...args) => [process.execPath, `${root}/scripts/${name}.mjs`, ...args];
const steps = [
  { name: 'format and lint', command: [...tool('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'rooms', command: script('rooms') },
  { name: 'words', command: script('words') },
  { name: 'types', command: script('types') },
  { name: 'units', command: [...tool('vitest'), 'run', '--reporter=dot'], env: { SLUICE_QUICK: '1', CI: '' } },
];
const failed = [];
for (const { name, command, env } of steps) {
  const { code } = await run(command, { env });
  if (code !== 0) failed.push(name);
}
console.log(failed.length === 0 ? `Quick: ok (${since(from)})` : `Quick: FAILED ${failed.join(', ')} (${since(from)})`);
process.exitCode = failed.length === 0 ? 0 : 1;
