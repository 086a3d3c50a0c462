import { date, id, integer, name, type RecordOf, resource, text } from '../resource.ts';

/** What a job does now: it waits for its time or for another try, somebody works on it, or it is given up. */
export const jobStates = ['waiting', 'running', 'failed'] as const;
export type JobState = (typeof jobStates)[number];

/** Characters of the reason that is kept of a failure. */
export const maxJobError = 1_000;
/** Characters of what a job is about. */
export const maxJobSubject = 120;

/**
 * Work that outlives the call it comes from and the process that does it: mails of the platform, retention. A job that is done
 * is gone; one that failed for good stays until somebody tries it again or removes it. What it works on is not shown.
 */
export const job = resource({
  name: 'job',
  label: 'Jobs',
  description: 'Work that is done later, by any process of this instance.',
  fields: {
    id: id(),
    /** What kind of work it is: `mail`, `purge audit` … */
    name: name({ readOnly: true, max: 64 }),
    /** What it is about, where the kind alone does not say: the name of the script that runs. */
    subject: text({ readOnly: true, max: maxJobSubject, cut: true }),
    /** Of this the only change is to `waiting`: it is tried again, at once and from the first attempt on. */
    state: name({ max: 16 }),
    /** How often it was begun. */
    attempts: integer({ readOnly: true, required: true }),
    /** When it is begun at the earliest. */
    run_at: date({ readOnly: true, required: true }),
    /** The cron expression, in UTC, of work that is done again and again. */
    schedule: text({ readOnly: true, max: 64 }),
    /** Why the last attempt failed. */
    error: text({ readOnly: true, max: maxJobError, cut: true }),
    created_date: date({ readOnly: true, required: true }),
  },
});

export type JobRecord = RecordOf<typeof job>;
