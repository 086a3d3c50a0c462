// npm run compare, behind the builds: starts the servers of two checkouts, makes the same calls to both and prints what
// they answered differently.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Call, listCalls, type Variables } from './call.ts';
import { consoleKey } from './calls/beginnings.ts';
import { type PlannedInstance, plannedInstances } from './calls/index.ts';
import { makeConsole } from './console-folder.ts';
import { findEngines, makeShop } from './databases/index.ts';
import type { ShopEngine } from './databases/shop.ts';
import { readExpectations } from './expected.ts';
import { startInstance } from './instance.ts';
import { Normaliser } from './normalise.ts';
import { record } from './record.ts';
import { type Comparison, compareRuns, printAnswers, printReport, type Run } from './report.ts';
import { Sender } from './send.ts';

/** One of the two servers: `was` is the commit's, `now` the working tree's. */
interface Side {
  name: 'was' | 'now';
  checkout: string;
  /** A folder of the run; the names are of one length, since lengths are compared. */
  folder: string;
}

const { values: options } = parseArgs({
  options: {
    was: { type: 'string' },
    now: { type: 'string' },
    expect: { type: 'string' },
    answers: { type: 'string' },
  },
});
/** Resolves when the text is with its reader: an exit right behind it would cut it off. */
const print = (text: string) => new Promise((resolve) => process.stdout.write(`${text}\n`, resolve));

async function compare(): Promise<boolean> {
  const { was = '', now = '', expect, answers: answersFolder } = options;
  const expectations = expect === undefined ? [] : readExpectations(expect);
  if (answersFolder !== undefined) mkdirSync(answersFolder, { recursive: true });
  const { engines, missing: missingReasons } = await findEngines();
  for (const reason of missingReasons) await print(reason);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-compare-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const sides: Side[] = [
    { name: 'was', checkout: was, folder: join(folder, 'was') },
    { name: 'now', checkout: now, folder: join(folder, 'now') },
  ];
  const comparisons: Comparison[] = [];
  for (const planned of plannedInstances) {
    const calls = listCalls(planned.groups(engines));
    const [before, after] = await Promise.all(sides.map((side) => runCalls(side, planned, calls, engines)));
    comparisons.push(compareRuns(planned.name, before!, after!));
  }
  if (answersFolder !== undefined) {
    for (const { name } of sides) writeFileSync(join(answersFolder, `${name}.txt`), printAnswers(comparisons, name));
    await print(`All answers and the servers' logs are in ${answersFolder}`);
  }
  const { lines, isGood } = printReport(comparisons, expectations);
  await print(lines.join('\n'));
  return isGood;
}

/** Starts an instance of one side with databases of its own, makes the calls and stops it. */
async function runCalls(side: Side, planned: PlannedInstance, calls: Call[], engines: ShopEngine[]): Promise<Run> {
  const data = join(side.folder, planned.name);
  const consoleFolder = join(side.folder, 'console', 'dist');
  if (planned.isWhole) makeConsole(consoleFolder);
  const shops = planned.isWhole ? await Promise.all(engines.map((engine) => makeShop(engine, data))) : [];
  try {
    const instance = await startInstance(side.checkout, data, { SLUICE_CONSOLE: consoleFolder, ...planned.settings });
    const sender = new Sender(instance.url);
    try {
      const variables: Variables = new Map();
      for (const { engine, config } of shops)
        for (const [name, value] of Object.entries(config)) variables.set(`${engine}.${name}`, value);
      if (instance.setupCode !== undefined) variables.set('setupCode', instance.setupCode);
      const recordings = await record(calls, planned.callers, sender, variables);
      const normaliser = new Normaliser({
        url: instance.url,
        texts: [[side.folder, '<folder>'], [side.checkout, '<checkout>'], ...shops.flatMap(({ texts }) => texts)],
        fixedKey: consoleKey,
        startedAt: instance.startedAt,
      });
      return recordings.map(({ call, answer, failure, startedAt, endedAt }) => ({
        call,
        failure,
        answer: normaliser.normalise({ call, answer, startedAt, endedAt }),
      }));
    } finally {
      sender.close();
      await instance.stop();
      if (options.answers !== undefined)
        writeFileSync(join(options.answers, `${side.name} ${planned.name}.log`), instance.output());
    }
  } finally {
    await Promise.all(shops.map((shop) => shop.drop()));
  }
}

// So that what was started and made is ended and removed.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
// Database servers that were started for this would keep the process alive.
process.exit((await compare()) ? 0 : 1);
