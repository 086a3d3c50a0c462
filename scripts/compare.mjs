// npm run compare -- <commit>: whether the server of the working tree answers as that of a commit did. Both are built,
// started and sent the same calls; what differs is printed (--expect file.json: but for what is meant to).
// The calls and the comparison are in packages/testkit/src/compare.
import { join } from 'node:path';
import { buildServer, checkOut } from './checkout.mjs';
import { install, requireNode, root } from './prepare.mjs';
import { run, tool } from './run.mjs';

requireNode();
install();

const [commit, ...rest] = process.argv.slice(2);
if (!commit || commit.startsWith('-')) {
  console.error('Name the commit to compare with: npm run compare -- main [--expect file.json]');
  process.exit(1);
}
const cache = join(root, '.cache/compare');
try {
  const was = await checkOut(commit);
  await buildServer(was);
  await buildServer(root);
  const paths = ['--was', was, '--now', root, '--answers', join(cache, 'answers')];
  const { code } = await run([...tool('tsx'), 'packages/testkit/src/compare/main.ts', ...paths, ...rest]);
  process.exitCode = code;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
