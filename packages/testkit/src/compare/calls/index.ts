// All calls of the comparison, by subject. An instance is a server with settings of its own and the calls made to it.
import type { CallGroup } from '../call.ts';
import type { ShopEngine } from '../databases/shop.ts';
import type { Callers } from '../record.ts';
import { admin, beginnings, callers, consoleKey } from './beginnings.ts';
import { doors, figures } from './doors.ts';
import { expired, firstStart, metricsToken, strictCallers } from './other-settings.ts';
import { readRecords } from './records-read.ts';
import { writeRecords } from './records-write.ts';
import { explanations, filteredCalls, refusals } from './refusals.ts';
import { routines } from './routines.ts';
import { schemaCalls } from './schema.ts';
import { sessions } from './sessions.ts';
import { system } from './system.ts';
import { world } from './world.ts';

export interface PlannedInstance {
  name: string;
  settings: Record<string, string>;
  callers: Callers;
  /** Whether it opens the shop and serves the console. */
  isWhole: boolean;
  groups(engines: readonly ShopEngine[]): CallGroup[];
}

const secret = { SLUICE_SECRET: 'a secret that both servers have, which is long enough' };
const administrator = { SLUICE_ADMIN_EMAIL: admin.email, SLUICE_ADMIN_PASSWORD: admin.password };

/** All that is asked of a database service. */
const databaseCalls = (engine: ShopEngine): CallGroup[] => [
  ...readRecords(engine),
  ...writeRecords(engine),
  ...schemaCalls(engine),
  routines(engine),
  filteredCalls(engine),
];

/** Ends a group with a look at the administrator's session: without it every answer behind would be a refusal. */
const withSession = ({ title, calls }: CallGroup): CallGroup => ({
  title,
  calls: [...calls, ['GET system/admin/session', { status: 200 }]],
});

/** Instances in the order in which they are started; of each there is one at a time. */
export const plannedInstances: PlannedInstance[] = [
  {
    name: 'main',
    isWhole: true,
    callers,
    settings: { ...secret, ...administrator, SLUICE_ADMIN_APP_KEY: consoleKey, SLUICE_DEMO: '1' },
    groups: (engines) => [
      ...beginnings(engines),
      ...[
        ...doors,
        ...refusals,
        explanations,
        ...engines.flatMap(databaseCalls),
        ...world,
        ...system,
        ...sessions,
        ...figures,
      ].map(withSession),
    ],
  },
  {
    name: 'first start',
    isWhole: false,
    callers: strictCallers,
    settings: {
      ...secret,
      SLUICE_PUBLIC_URL: 'https://api.example.com/',
      SLUICE_TRUST_PROXY: '1',
      SLUICE_METRICS_TOKEN: metricsToken,
      SLUICE_LOGIN_ATTRIBUTE: 'username',
      SLUICE_PASSWORD_MIN: '8',
      SLUICE_TOKEN_MINUTES: '7',
      SLUICE_FOREVER_SESSIONS: '1',
      SLUICE_BODY_LIMIT: '2000',
      SLUICE_MAX_RECORDS: '50',
      SLUICE_LICENSE: 'GOLD',
      SLUICE_LINKS: 'support=https://help.example.com,upgrade=https://more.example.com',
      SLUICE_CONSOLE: '',
      SLUICE_DEMO: '1',
    },
    groups: () => firstStart,
  },
  {
    name: 'expired',
    isWhole: false,
    callers: strictCallers,
    settings: { ...secret, ...administrator, SLUICE_ADMIN_APP_KEY: consoleKey, SLUICE_TOKEN_MINUTES: '0' },
    groups: () => expired,
  },
];
