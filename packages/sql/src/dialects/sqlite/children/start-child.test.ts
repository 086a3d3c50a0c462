import { getPriority } from 'node:os';
import { expect, it } from 'vitest';
import { childProgram } from './child-program.fixture.ts';
import { startChild } from './start-child.ts';

it('abuse: a child gets less of a busy core than the process that everybody waits for', () => {
  const child = startChild(childProgram(), { path: '/', create: false, busyTimeout: 0 });
  try {
    expect(getPriority(child.process.pid)).toBe(Math.min(19, getPriority() + 5));
  } finally {
    child.process.kill('SIGKILL');
  }
});
