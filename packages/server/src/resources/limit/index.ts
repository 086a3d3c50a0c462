// `system/limit`: how many calls of a kind of caller a period may have. limits/ counts them.
import { limit } from '@sluice/contract';
import type { RecordInput } from '../../call/payload.ts';
import type { LimitRow, Limits } from '../../limits/index.ts';
import { findRows, parseNumericId } from '../../records/rows.ts';
import { isEmpty } from '../../resource/fields.ts';
import type { RecordChange, RecordContext, ServedResource, StoredRow } from '../../resource/resource.ts';
import type { Db } from '../../store/index.ts';
import { draftLimit, emptied, type LimitDraft, refuseDraft } from './draft.ts';
import { findTargets } from './targets.ts';

export const limitResource = (limits: Pick<Limits, 'entries' | 'resetIfLocked'>): ServedResource => ({
  definition: limit,
  table: 'limit',
  isAddressed: true,
  goesWithOwner: true,
  beforeBatch: refuseLimits,
  async beforeSave(change) {
    const draft = draftLimit(change.input, change.row);
    setValues(change, draft);
    // Another record of the same call may have the key by now.
    if (!change.context.options.isAllOrNothing) refuseDraft(draft, await findTargets(change.context.db, [draft], true));
  },
  async afterUpdate(before, after) {
    if (before.rate !== after.rate) await limits.resetIfLocked(Number(after.id));
  },
  async computeRelation(rows, { db }) {
    const entries = await limits.entries(rows as unknown as LimitRow[], db);
    const byId = new Map(rows.map((row, at) => [row.id, entries[at] ?? []]));
    return ({ id }) => byId.get(id) ?? [];
  },
});

/** Refuses the records of a call with one of them (contract/limits.md §2). One that is not there is refused as it is written. */
async function refuseLimits(context: RecordContext, inputs: RecordInput[], ids: unknown[]): Promise<void> {
  const isUpdate = ids.length > 0;
  const rows = isUpdate ? await storedLimits(context.db, ids) : new Map<unknown, StoredRow>();
  const drafts = inputs.flatMap((input, at) => {
    const row = rows.get(parseNumericId(ids[at]));
    return isUpdate && !row ? [] : [draftLimit(input, row)];
  });
  // With rollback the store itself refuses a second one.
  const known = await findTargets(context.db, drafts, !context.options.isAllOrNothing);
  for (const draft of drafts) refuseDraft(draft, known);
}

async function storedLimits(db: Db, ids: unknown[]): Promise<Map<unknown, StoredRow>> {
  const known = ids.map(parseNumericId).filter((id) => id !== undefined);
  const rows = await findRows(db, { table: 'limit', definition: limit }, 'id', [...new Set(known)]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Puts in what follows from the type, and reports what is no type or period. */
function setValues({ kind, input, values, reportInvalid }: RecordChange, draft: LimitDraft): void {
  const { type, period, verb, scope, key } = draft;
  const isSent = (field: string) => (kind === 'create' || Object.hasOwn(input, field)) && !isEmpty(input[field]);
  if (type) Object.assign(values, emptied(draft));
  else if (isSent('type')) reportInvalid('type', 'The selected type is invalid.');
  if (period) values.period = period;
  else if (isSent('period')) reportInvalid('period', 'The selected period is invalid.');
  if (verb !== undefined) values.verb = verb;
  if (scope.endpoint !== undefined) values.endpoint = scope.endpoint;
  if (key !== undefined) values.key_text = key;
}
