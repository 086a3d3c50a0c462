// One suite for every dialect: what a `Database` promises, asked of a real one. What only one engine has is tested in
// its own folder.
import { changesSuite } from './changes.fixture.ts';
import { closingSuite } from './closing.fixture.ts';
import type { SuiteDialect } from './dialect.fixture.ts';
import { longListsSuite } from './long-lists.fixture.ts';
import { readingSuite } from './reading.fixture.ts';
import { sharesSuite } from './shares.fixture.ts';
import { streamingSuite } from './streaming.fixture.ts';
import { makeSuite, type Suite } from './suite.fixture.ts';
import { timeLimitsSuite } from './time-limits.fixture.ts';
import { writingSuite } from './writing.fixture.ts';

type Part = (suite: Suite) => void;

/** What a dialect answers by its own SQL, sessions and errors. */
export const ownParts: readonly Part[] = [readingSuite, writingSuite, timeLimitsSuite, changesSuite];

/** What its driver and its connections do, whatever the SQL: once for dialects that share these. */
export const driverParts: readonly Part[] = [streamingSuite, longListsSuite, closingSuite];

/** How places are shared: once for servers, once for SQLite's children. */
export const placesParts: readonly Part[] = [sharesSuite];

const allParts = [...ownParts, ...driverParts, ...placesParts];

/** What a dialect promises, whatever the engine; `parts` names those of a dialect that shares a driver with another. */
export function dialectSuite(name: string, dialect: SuiteDialect & { parts?: readonly Part[] }): void {
  const suite = makeSuite(name, dialect);
  for (const part of dialect.parts ?? allParts) part(suite);
}
