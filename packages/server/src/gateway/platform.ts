// What every part of a running instance can use. Made by app.ts, handed down explicitly.
import type { Logger } from 'pino';
import type { ByteBudget } from '../call/byte-budget.ts';
import type { ChangeNotices } from '../events/changes.ts';
import type { Identity } from '../identity/index.ts';
import type { Jobs } from '../jobs/index.ts';
import type { Limits } from '../limits/index.ts';
import type { Metrics } from '../metrics/index.ts';
import type { StoredDefinitions } from '../openapi/stored.ts';
import type { Scripts } from '../scripts/index.ts';
import type { ScriptRunner } from '../scripts/runner.ts';
import type { Services } from '../service/registry.ts';
import type { Settings } from '../settings/index.ts';
import type { Store } from '../store/index.ts';
import type { Use } from '../use/index.ts';

export interface Platform {
  settings: Settings;
  log: Logger;
  store: Store;
  identity: Identity;
  services: Services;
  metrics: Metrics;
  use: Use;
  limits: Limits;
  scripts: Scripts;
  runner: Pick<ScriptRunner, 'knownEngines'>;
  definitions: StoredDefinitions;
  jobs: Pick<Jobs, 'figures'>;
  /** What is written, once it is committed. */
  notices: ChangeNotices;
  /** Bytes of answers in memory. */
  answers: ByteBudget;
}
