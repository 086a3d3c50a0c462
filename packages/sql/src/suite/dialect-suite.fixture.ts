// One suite for every dialect: what a `Database` promises, asked of a real one. What only one engine has is tested in
// its own folder.
import { changesSuite } from './changes.fixture.ts';
import { closingSuite } from './closing.fixture.ts';
import type { SuiteDialect } from './dialect.fixture.ts';
import { longListsSuite } from './long-lists.fixture.ts';
import { readingSuite } from './reading.fixture.ts';
import { sharesSuite } from './shares.fixture.ts';
import { streamingSuite } from './streaming.fixture.ts';
import { makeSuite } from './suite.fixture.ts';
import { timeLimitsSuite } from './time-limits.fixture.ts';
import { writingSuite } from './writing.fixture.ts';

/** What a dialect promises, whatever the engine. */
export function dialectSuite(name: string, dialect: SuiteDialect): void {
  const suite = makeSuite(name, dialect);
  for (const part of [
    readingSuite,
    writingSuite,
    streamingSuite,
    longListsSuite,
    timeLimitsSuite,
    sharesSuite,
    changesSuite,
    closingSuite,
  ])
    part(suite);
}
