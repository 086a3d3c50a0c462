// What Home makes of what it read. Pure.
import { type AppUse, isInGroup, type ServiceUse } from '@sluice/contract';
import type { ListedService, ServiceList } from './sources.ts';

/** The app whose key the console itself sends. */
const consoleAppId = 1;
/** Apps of pages that every instance begins with. */
const pageApps = [
  { id: 2, name: 'api_docs' },
  { id: 3, name: 'file_manager' },
];
/** The database every instance begins with (contract/system-resources.md §5). */
const seededDatabase = { id: 5, name: 'db' };
/** Milliseconds after which a key counts as not used for long. */
const longTime = 30 * 86_400_000;

export type StepName = 'connect' | 'data' | 'key' | 'call';

export interface Step {
  name: StepName;
  isDone: boolean;
}

export interface StepFacts {
  services: readonly ListedService[];
  types: ServiceList['service_types'];
  serviceUse: readonly ServiceUse[];
  keyUse: readonly AppUse[];
}

/** Keys of people: without those of the console and its pages. */
const ownKeys = (keyUse: readonly AppUse[]) =>
  keyUse.filter(({ id, name }) => id !== consoleAppId && !pageApps.some((app) => app.id === id && app.name === name));

const isOfGroup = (type: string, types: ServiceList['service_types'], group: Parameters<typeof isInGroup>[1]) =>
  types.some((known) => known.name === type && isInGroup(known, group));

export const isDatabase = ({ type }: ListedService, types: ServiceList['service_types']): boolean =>
  isOfGroup(type, types, 'Database');

/** A call went well; of calls before the hours that were read nobody knows how they went. */
const wasReached = ({ calls, failures, last_call }: ServiceUse): boolean =>
  calls > failures || (calls === 0 && last_call !== null);

/**
 * The way to the first call, each step by a fact the instance knows: a database that answered calls, a key besides the
 * console's, a call that came with one. The database that comes with the instance is connected once it was called.
 */
export function stepsOf({ services, types, serviceUse, keyUse }: StepFacts): Step[] {
  const databases = services.filter((service) => isDatabase(service, types));
  const reached = new Set(serviceUse.filter(wasReached).map(({ id }) => id));
  const isSeeded = ({ id, name }: ListedService) => id === seededDatabase.id && name === seededDatabase.name;
  const keys = ownKeys(keyUse);
  return [
    { name: 'connect', isDone: databases.some((service) => !isSeeded(service) || reached.has(service.id)) },
    { name: 'data', isDone: databases.some(({ id }) => reached.has(id)) },
    { name: 'key', isDone: keys.length > 0 },
    { name: 'call', isDone: keys.some(({ calls }) => calls > 0) },
  ];
}

/** The database the steps speak of: one that was connected, rather than the one that comes with the instance. */
export function databaseOf(services: readonly ListedService[], types: ServiceList['service_types']) {
  const databases = services.filter((service) => isDatabase(service, types) && service.is_active !== false);
  return databases.find(({ id }) => id !== seededDatabase.id) ?? databases[0];
}

/** The newest key of a person. */
export const newestKey = (keyUse: readonly AppUse[]): AppUse | undefined => ownKeys(keyUse).at(-1);

/** Services in the order of Home: those of people by their calls, then the instance's own. */
export function inOrderOfUse(
  services: readonly ListedService[],
  types: ServiceList['service_types'],
  callsOf: (id: number) => number,
): ListedService[] {
  const isOwn = ({ type }: ListedService) => isOfGroup(type, types, 'System') || isOfGroup(type, types, 'User');
  const sorted = [...services].sort((a, b) => callsOf(b.id) - callsOf(a.id) || a.id - b.id);
  return [...sorted.filter((service) => !isOwn(service)), ...sorted.filter(isOwn)];
}

/** Active keys that nobody used for long, the oldest first. A key that was made lately is none, used or not. */
export function unusedKeys(keyUse: readonly AppUse[], now: number): AppUse[] {
  const lastSign = ({ last_used, created_date }: AppUse) => Date.parse(last_used ?? created_date ?? '') || 0;
  return ownKeys(keyUse)
    .filter((key) => key.is_active && lastSign(key) < now - longTime)
    .sort((a, b) => lastSign(a) - lastSign(b));
}

export interface HourBar {
  /** Milliseconds since 1970, the beginning of the hour. */
  start: number;
  calls: number;
  failures: number;
}

const hourLength = 3_600_000;

/** The last 24 hours one by one, those without a call too. */
export function hourBars(hours: ServiceUse['hours'], now: number): HourBar[] {
  const known = new Map(hours.map((hour) => [Date.parse(hour.hour), hour]));
  const current = now - (now % hourLength);
  return Array.from({ length: 24 }, (_, index) => {
    const start = current - (23 - index) * hourLength;
    const { calls = 0, failures = 0 } = known.get(start) ?? {};
    return { start, calls, failures };
  });
}
