// Why each row of a role counts for a call or does not. Calls `decide` row by row, so that there is one way of matching;
// too slow for calls, meant for explaining one. Pure.
import { type ExplainedRow, requestorMask } from '@sluice/contract';
import { type AccessRow, decide, type Question } from './decide.ts';

/** Every row with the reason why it counts or not, those that count first. */
export function explainRows(rows: readonly AccessRow[], question: Question): ExplainedRow[] {
  const counted = new Set(decide(rows, question).rows);
  const explained = rows.map((row, index): ExplainedRow => {
    const why = counted.has(row) ? 'counts' : reason(row, question);
    return {
      id: row.id,
      number: index + 1,
      service: row.service,
      component: row.component,
      verb_mask: row.verbMask,
      requestor_mask: row.requestorMask,
      counts: why === 'counts',
      why,
    };
  });
  return explained.sort((a, b) => Number(b.counts) - Number(a.counts));
}

function reason(row: AccessRow, question: Question): ExplainedRow['why'] {
  if (row.service !== null && row.service !== question.service) return 'service';
  if ((row.requestorMask & requestorMask[question.requestor]) === 0) return 'requestor';
  return decide([row], question).class === 'none' ? 'component' : 'outranked';
}
