// `system/job`: what waits, runs and failed; tried again or removed here, made and done by jobs/.
import { fail, job } from '@sluice/contract';
import type { ServedResource } from '../../resource/resource.ts';

export const jobResource: ServedResource = {
  definition: job,
  table: 'job',
  isAddressed: true,
  beforeSave({ row, values, columns, reportInvalid }) {
    const { state } = values;
    if (state === undefined) return;
    if (state !== 'waiting') return reportInvalid('state', 'The selected state is invalid.');
    if (row?.state === 'running') throw fail('job.running', { name: String(row.name) });
    Object.assign(columns, { attempts: 0, error: null, run_at: new Date().toISOString() });
  },
  beforeDelete({ name, state, schedule }) {
    if (state === 'running') throw fail('job.running', { name: String(name) });
    if (schedule !== null) throw fail('job.scheduled', { name: String(name) });
  },
};
