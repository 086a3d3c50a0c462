// What agents may call: the services of a caller but those that are the instance itself, and the operations of each.
import type { Verb } from '@sluice/contract';
import type { Caller } from '../call/call.ts';
import { cutText } from '../call/cut-text.ts';
import type { Definition } from '../openapi/definition.ts';
import { type DocumentedServices, visibleServices } from '../openapi/index.ts';
import type { ServiceRow } from '../service/registry.ts';
import type { ListedOperation } from '../service/route-table.ts';

/** Characters of a summary that people wrote. */
const maxSummary = 200;

/** The services of a caller that agents may call. Of what there is once (system, user, API docs), nothing is, and of sign-ins. */
export async function agentServices(services: DocumentedServices, caller: Caller): Promise<ServiceRow[]> {
  const rows = await visibleServices(services, caller);
  return rows.filter(({ type: name }) => {
    const type = services.type(name);
    return !type?.singleton && !type?.can.signIn;
  });
}

/** The one of a name, in any letter case; undefined where the caller is shown none. */
export async function findAgentService(
  services: DocumentedServices,
  caller: Caller,
  name: string,
): Promise<ServiceRow | undefined> {
  const key = name.toLowerCase();
  const row = (await services.rows()).find((candidate) => candidate.key === key);
  if (!row) return undefined;
  const [found] = await agentServices({ ...services, rows: async () => [row] }, caller);
  return found;
}

/** What a definition lists, as operations. */
export function definedOperations({ operations }: Definition): ListedOperation[] {
  return operations.map(({ verb, path, summary, operationId, parameters }) => ({
    ...{ verb, path, event: path, isPublic: false, isDefined: true, takesSlashes: false, endsInSlash: false },
    summary: oneLine(summary ?? operationId ?? `${verb} /${path}`),
    parameters: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    ...(takesBody(verb) ? { body: 'any value' as const } : {}),
    answer: 'any value',
  }));
}

const takesBody = (verb: Verb) => verb !== 'GET' && verb !== 'DELETE';

/** Text that people wrote, without what could pass for anything else than one line. */
const oneLine = (text: string): string => cutText(text.replace(/[\s\p{C}]+/gu, ' ').trim(), maxSummary);
