// `POST system/limit/_preview`: what a limit would have refused in the last hour, as far as this process remembers its calls.
import { fail } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { readOneRecord } from '../../call/payload.ts';
import type { LimitRow, Limits } from '../../limits/index.ts';
import type { Store } from '../../store/index.ts';
import { draftLimit, type LimitDraft, refuseDraft } from './draft.ts';
import { findTargets } from './targets.ts';

export interface PreviewParts {
  store: Pick<Store, 'db'>;
  limits: Pick<Limits, 'preview'>;
}

/** Takes a limit as it would be created; nothing is saved. For administrators alone: it says who called. */
export async function previewLimit({ store, limits }: PreviewParts, call: Call): Promise<Reply> {
  if (!call.caller.user?.isAdmin) throw fail('access.adminOnly');
  const draft = draftLimit(readOneRecord(await call.body()), undefined);
  refuseDraft(draft, await findTargets(store.db, [draft]));
  return answer(await limits.preview(rowOf(draft)));
}

/** The limit as a row; throws `record.invalid` where something is missing that it is made of. */
function rowOf({ type, period, rate, verb, scope, key, name, hasRate, input }: LimitDraft): LimitRow {
  const missing = (field: string, isSent: boolean) =>
    isSent ? `The selected ${field} is invalid.` : `The ${field} field is required.`;
  const context: Record<string, string[]> = {
    ...(type ? {} : { type: [missing('type', Object.hasOwn(input, 'type'))] }),
    ...(period ? {} : { period: [missing('period', Object.hasOwn(input, 'period'))] }),
    ...(hasRate ? {} : { rate: [missing('rate', false)] }),
  };
  const messages = Object.values(context).flat();
  if (!type || !period || rate === undefined || key === undefined)
    throw fail('record.invalid', { messages: messages.length > 0 ? messages : ['The limit is invalid.'] }, { context });
  return {
    ...{ id: 0, name, type, period, rate, key_text: key, verb: verb ?? null, is_active: 1, description: null },
    ...(scope as Pick<LimitRow, 'user_id' | 'role_id' | 'service_id' | 'endpoint'>),
    ...{ created_date: null, last_modified_date: null },
  };
}
