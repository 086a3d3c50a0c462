// `_use` below `system/service` and `system/app`: how they are used, for administrators (contract/system-resources.md §4, §5).
import { fail, maxUseHours } from '@sluice/contract';
import { answer, type Call, type Reply } from '../call/call.ts';
import type { Services } from '../service/registry.ts';
import type { Use } from '../use/index.ts';

const defaultHours = 24;

export async function answerServiceUse(use: Pick<Use, 'services'>, call: Call): Promise<Reply> {
  requireAdmin(call);
  return answer({ resource: await use.services(readHours(call.query.get('hours'))) });
}

/** The last failed calls of one service, in this process. */
export async function answerFailedCalls(
  { failedCalls }: Pick<Use, 'failedCalls'>,
  services: Pick<Services, 'rows'>,
  call: Call,
): Promise<Reply> {
  requireAdmin(call);
  const name = call.query.get('service') ?? '';
  const service = (await services.rows()).find((row) => row.name.toLowerCase() === name.toLowerCase());
  if (!service) throw fail('service.unknown', { service: name });
  return answer({ resource: failedCalls.of(service.id) });
}

export async function answerAppUse(use: Pick<Use, 'apps'>, call: Call): Promise<Reply> {
  requireAdmin(call);
  return answer({ resource: await use.apps() });
}

function requireAdmin({ caller }: Call): void {
  if (!caller.user?.isAdmin) throw fail('access.adminOnly');
}

function readHours(text = ''): number {
  if (text === '') return defaultHours;
  const hours = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (hours >= 1 && hours <= maxUseHours) return hours;
  const message = `The hours must be a whole number from 1 to ${maxUseHours}.`;
  throw fail('record.invalid', { messages: [message] }, { context: { hours: [message] } });
}
