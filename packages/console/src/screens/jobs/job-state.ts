// What of the jobs is shown, as the address holds it and as the server is asked; and what a schedule says. Pure.
import { type JobRecord, type JobState, jobStates } from '@sluice/contract';

/** The tabs, in their order: what needs somebody first. */
export const shownStates = ['all', 'failed', 'waiting', 'running'] as const;
export type ShownState = (typeof shownStates)[number];

export const readShownState = (address: URLSearchParams): ShownState =>
  jobStates.find((state) => state === address.get('state')) ?? 'all';

/** The address of a tab; the text that is searched for stays, and the first page is shown. */
export function addressOf(state: ShownState, address: URLSearchParams): string {
  const next = new URLSearchParams(address);
  next.delete('page');
  if (state === 'all') next.delete('state');
  else next.set('state', state);
  return `/jobs${next.size > 0 ? `?${next}` : ''}`;
}

export const isInState = (state: JobState): string => `state = "${state}"`;

/** What is newest of the failed first, what is due next of the others. Among all, the states come in the order of the alphabet. */
export const orders: Record<ShownState, string> = {
  all: 'state asc, run_at desc, id desc',
  failed: 'run_at desc, id desc',
  waiting: 'run_at asc, id asc',
  running: 'run_at asc, id asc',
};

/** A job that is worked on is left alone. */
export const isChangeable = ({ state }: JobRecord): boolean => state !== 'running';
/** A schedule is part of the platform. */
export const isRemovable = (job: JobRecord): boolean => isChangeable(job) && job.schedule === null;

export type Schedule =
  | { kind: 'minutes'; count: number }
  | { kind: 'hourly'; minute: string }
  | { kind: 'daily'; time: string }
  | { kind: 'other' };

/** What a cron expression says, where that is simple. */
export function readSchedule(cron: string): Schedule {
  const [minute = '', hour = '', ...rest] = cron.trim().split(/\s+/);
  if (rest.join(' ') !== '* * *') return { kind: 'other' };
  const every = /^\*(?:\/(\d+))?$/.exec(minute);
  if (hour === '*' && every) {
    const count = Number(every[1] ?? 1);
    // Of others the last step of an hour is shorter.
    return count > 0 && 60 % count === 0 ? { kind: 'minutes', count } : { kind: 'other' };
  }
  if (!/^\d{1,2}$/.test(minute)) return { kind: 'other' };
  if (hour === '*') return { kind: 'hourly', minute: String(Number(minute)) };
  if (!/^\d{1,2}$/.test(hour)) return { kind: 'other' };
  return { kind: 'daily', time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` };
}
