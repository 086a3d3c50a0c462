import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getPriority } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { sqliteFiles } from '../files.fixture.ts';
import type { Answer } from './child.ts';
import { childProgram, writeProgram } from './child-program.fixture.ts';
import { type Child, prepareChildren, startChild } from './start-child.ts';

const { aFile, inFolder } = sqliteFiles();

const noFile = { path: '/', create: false, busyTimeout: 0 };
const endless =
  'create view endless as with recursive n(i) as (select 1 union all select i + 1 from n) select i from n';
const rawTask = (sql: string) => ({ task: { kind: 'raw' as const, statement: { sql, parameters: [] } } });

/** A child whose answers can be waited for, and its loss. */
function aChild(program: string, file = noFile, args?: string[]) {
  const answers: (Answer | string)[] = [];
  const events = {
    onAnswer: (answer: Answer) => answers.push(answer),
    onLoss: (reason: string) => answers.push(reason),
  };
  const child: Child = startChild(program, file, events, args);
  return {
    child,
    answers,
    hasHeard: (count: number) => expect.poll(() => answers.length, { timeout: 10_000 }).toBe(count),
  };
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    // Where nobody reaps it, a dead process stays as a zombie.
    return !existsSync(`/proc/${pid}/stat`) || !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

it('abuse: a child gets less of a busy core than the process that everybody waits for', async () => {
  const program = writeProgram(
    inFolder('priority.mjs'),
    "import { getPriority } from 'node:os'; answer({ result: getPriority() });",
  );
  const { child, answers, hasHeard } = aChild(program);
  await hasHeard(1);
  expect(answers).toEqual([{ result: Math.min(19, getPriority() + 5) }]);
  child.kill();
  await child.ended;
});

it('abuse: starting one asks a small process, whatever this one holds', async () => {
  const { child, hasHeard } = aChild(childProgram(), { ...noFile, path: aFile() });
  child.send(rawTask('select 1'));
  await hasHeard(1);
  const parent = Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]);
  expect(parent).toBe(prepareChildren().process.pid);
  child.release();
  await child.ended;
});

it('hears all that a child answered before it tells that it is gone, and why', async () => {
  const program = writeProgram(
    inFolder('last-words.mjs'),
    `onRequest(() => { answer({ result: 'x'.repeat(3_000_000) }); socket.end(() => { console.error('no more'); process.exit(4); }); });`,
  );
  const { answers, hasHeard } = aChild(program);
  await hasHeard(2);
  expect(answers[0]).toEqual({ result: 'x'.repeat(3_000_000) });
  expect(answers[1]).toMatch(/^exit 4\n.*no more/s);
});

it('a program that cannot be run is lost with what Node says of it', async () => {
  const { child, answers, hasHeard } = aChild(inFolder('missing.mjs'));
  await hasHeard(1);
  expect(answers[0]).toMatch(/^exit 1\n.*Cannot find module/s);
  await child.ended;
});

it('a child that is released or killed before it runs ends all the same', async () => {
  const [released, killed] = [aChild(childProgram()), aChild(childProgram())];
  released.child.release();
  killed.child.kill();
  await Promise.all([released.child.ended, killed.child.ended]);
  expect([released.answers, killed.answers].map(([reason]) => String(reason).split('\n')[0])).toEqual([
    'exit 0',
    'exit SIGKILL',
  ]);
});

it('what starts children is started again when it is gone', async () => {
  const { process: spawner } = prepareChildren();
  const before = aChild(childProgram(), { ...noFile, path: aFile() });
  before.child.send(rawTask('select 1'));
  await before.hasHeard(1);
  spawner.kill('SIGKILL');
  await before.child.ended;
  const after = aChild(childProgram(), { ...noFile, path: aFile() });
  after.child.send(rawTask('select 2'));
  await after.hasHeard(1);
  expect(prepareChildren().process.pid).not.toBe(spawner.pid);
  after.child.release();
  await after.child.ended;
});

it('no child stays that was about to start when what starts children was killed', async () => {
  const mark = `orphan-${process.pid}`;
  const orphans = () =>
    execFileSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(mark) && !line.startsWith('Z'));
  for (const delay of [0, 5, 15, 30, 60, 120]) {
    const child = startChild(childProgram(), noFile, { onAnswer: () => {}, onLoss: () => {} }, ['100', mark]);
    await new Promise((resolve) => setTimeout(resolve, delay));
    prepareChildren().process.kill('SIGKILL');
    await child.ended;
  }
  await expect.poll(orphans, { timeout: 10_000 }).toEqual([]);
});

it('a child that is busy when what starts children is killed is ended: what it was about to change is undone', async () => {
  // It would look for its parent after a minute.
  const child = aChild(childProgram(), { ...noFile, path: aFile(endless) }, ['60000']);
  child.child.send(rawTask('select 1'));
  await child.hasHeard(1);
  child.child.send(rawTask('select count(*) from endless'));
  prepareChildren().process.kill('SIGKILL');
  await child.child.ended;
  // A process that ends closes its sockets first.
  await expect.poll(() => isAlive(child.child.pid!)).toBe(false);
  expect(child.answers[1]).toMatch(/^the process that starts children: exit SIGKILL/);
});

/** Runs a process that has a child busy with an endless query; the numbers of the two. */
async function busyParent(): Promise<{ parent: number; child: number }> {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const startPath = fileURLToPath(new URL('./start-child.ts', import.meta.url));
  const parent = inFolder('parent.mjs');
  writeFileSync(
    parent,
    `import { startChild } from ${JSON.stringify(startPath)};
     const file = { path: ${JSON.stringify(aFile(endless))}, create: false, busyTimeout: 0 };
     const onAnswer = () => {
       child.send(${JSON.stringify(rawTask('select count(*) from endless'))});
       setTimeout(() => console.log(child.pid), 200);
     };
     const child = startChild(${JSON.stringify(childProgram())}, file, { onAnswer, onLoss: () => {} }, ['100']);
     child.send(${JSON.stringify(rawTask('select 1'))});
     process.on('SIGTERM', () => {});
     setInterval(() => {}, 1000);`,
  );
  const started = spawn(process.execPath, ['--import', loader, parent], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const [line] = (await once(started.stdout, 'data')) as [Buffer];
  return { parent: started.pid!, child: Number(line.toString()) };
}

it('a child does not outlive a process that was killed in the middle of a query', async () => {
  const { parent, child } = await busyParent();
  expect(isAlive(child)).toBe(true);
  process.kill(parent, 'SIGKILL');
  await expect.poll(() => isAlive(child), { timeout: 10_000 }).toBe(false);
});

it('a signal for all processes at once ends no query: the process that waits for it decides', async () => {
  const { parent, child } = await busyParent();
  process.kill(-parent, 'SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(isAlive(child)).toBe(true);
  process.kill(-parent, 'SIGKILL');
  await expect.poll(() => isAlive(child), { timeout: 10_000 }).toBe(false);
});
