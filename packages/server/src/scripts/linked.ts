// Scripts that lie in a file service or a repository: loaded with the rights of the caller whose call runs them
// (contract/event-scripts-and-script-services.md §3, "Linked scripts").
import { isUtf8 } from 'node:buffer';
import { fail, type MaybePromise, textLengths } from '@sluice/contract';
import { queryOf } from '../call/address.ts';
import type { Call, Reply } from '../call/call.ts';
import { readBytes } from '../call/reply.ts';
import { createKey } from '../call/typed-map.ts';
import type { InnerRequest } from '../gateway/inner-call.ts';
import type { Services } from '../service/registry.ts';
import type { ServiceType } from '../service/service.ts';
import type { Settings } from '../settings/index.ts';
import type { CallInside } from './api.ts';
import { budgetOf } from './budget.ts';

/** Where a script lies, as event scripts and script services keep it. */
export interface ScriptLink {
  storage_service_id: number | null;
  storage_path: string | null;
  scm_repository: string | null;
  scm_reference: string | null;
}

export interface LinkedParts {
  services(): Pick<Services, 'rows' | 'type'>;
  settings: Pick<Settings, 'scriptSeconds'>;
  callInside: CallInside;
  /** Throws the refusal of a call inside another that is not made. */
  authorizeInside(call: Call, request: InnerRequest): MaybePromise<undefined>;
}

/** What loads linked scripts, for services that run scripts. */
export const linkedParts = createKey<LinkedParts>('what loads linked scripts');

/** Bytes of a script that is loaded, those of one that is sent. */
export const maxLinkedScript = textLengths.body;

/** Whether a script lies elsewhere: both parts of the link count (contract §3). */
export const isLinked = ({ storage_service_id, storage_path }: ScriptLink): boolean =>
  storage_service_id !== null && Boolean(storage_path);

/** Whether scripts can lie in services of a type. */
export const holdsScripts = (type: ServiceType | undefined): boolean =>
  type?.can.files === true || type?.can.repositories === true;

/**
 * Loads a script as the caller of `call`, whose scripts' time and calls it counts in; `name` is what messages call it.
 *
 * @throws `script.notLoaded` with the cause: no such file, no right to read it, a service that is away; and what ends all
 * scripts of the call.
 */
export async function loadLinkedScript(
  call: Call,
  link: ScriptLink,
  parts: LinkedParts,
  name: string = link.storage_path ?? '',
): Promise<string> {
  const budget = budgetOf(call, parts.settings.scriptSeconds);
  budget.enter(name);
  const stop = new AbortController();
  const late = fail('script.timeout', { name, seconds: parts.settings.scriptSeconds });
  const timer = setTimeout(() => stop.abort(late), Math.max(0, budget.endsAt - Date.now()));
  try {
    budget.countCall(name);
    return await Promise.race([readScript(call, link, parts), rejection(stop.signal)]);
  } catch (error) {
    budget.check();
    throw stop.signal.aborted ? late : fail('script.notLoaded', { name }, { cause: error });
  } finally {
    clearTimeout(timer);
    budget.leave();
  }
}

/**
 * A linked script that is loaded once. Every later caller has to be allowed to read it all the same, so that none runs by what
 * was loaded for another what they could not load; a load that failed is tried again with the next call.
 */
export function cachedLinkedScript(
  link: ScriptLink,
  parts: LinkedParts,
  name: string,
): (call: Call) => Promise<string> {
  let content: string | undefined;
  return async (call) => {
    if (content === undefined) {
      content = await loadLinkedScript(call, link, parts, name);
      return content;
    }
    try {
      await parts.authorizeInside(call, await requestOf(call, link, parts));
    } catch (error) {
      throw fail('script.notLoaded', { name }, { cause: error });
    }
    return content;
  };
}

/** The call that reads a script. */
async function requestOf(call: Call, link: ScriptLink, parts: LinkedParts): Promise<InnerRequest> {
  const services = parts.services();
  const row = (await services.rows()).find(({ id }) => id === link.storage_service_id);
  const type = row && services.type(row.type);
  if (!row || !holdsScripts(type)) throw fail('script.notLinkable');
  const path = (link.storage_path ?? '').replace(/^\/+/, '');
  const request = { verb: 'GET', service: row.name, requestor: call.caller.requestor } as const;
  if (!type?.can.repositories) return { ...request, path };
  if (!link.scm_repository) throw fail('script.notLinkable');
  // The path is one of the address, as which it is decided, also where the script is cached.
  const query = new Map([['content', '1'], ...(link.scm_reference ? [['branch', link.scm_reference] as const] : [])]);
  return { ...request, path: `_repo/${link.scm_repository}/${path}`, query: queryOf(query) };
}

async function readScript(call: Call, link: ScriptLink, parts: LinkedParts): Promise<string> {
  const reply = await parts.callInside(call, await requestOf(call, link, parts));
  return textOf(reply);
}

async function textOf(reply: Reply): Promise<string> {
  const { body } = reply;
  // A folder is a list; what a script of the address made is a value, too.
  if (!('type' in body)) throw fail('script.notLinkable');
  const bytes = await readBytes(body, maxLinkedScript);
  if (!isUtf8(bytes)) throw fail('script.notText');
  return new TextDecoder().decode(bytes);
}

const rejection = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
