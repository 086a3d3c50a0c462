import { errorsOfArea } from './catalogue.ts';

/** Work that is done later (system/job). */
export const jobErrors = errorsOfArea('job', {
  tooLarge: {
    status: 400,
    message: (p: { name: string; limit: number }) => `A job '${p.name}' may work on ${p.limit} bytes at most.`,
  },
  tooMany: {
    status: 503,
    message: (p: { limit: number }) => `${p.limit} jobs are waiting, as many as may wait.`,
    hint: 'See system/job, or the screen Jobs, for what keeps them from being done.',
  },
  running: {
    status: 409,
    message: (p: { name: string }) => `The job '${p.name}' is being worked on: wait until it has ended.`,
  },
  scheduled: {
    status: 400,
    message: (p: { name: string }) => `The job '${p.name}' is done again and again, and can not be removed.`,
  },
});
