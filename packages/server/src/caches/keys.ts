// Keys of caches: what may be one, who may use it, and what stands before it on servers that others use, too.
import { fail, type Verb } from '@sluice/contract';
import { componentKey, componentOf, type DecidingClass } from '../access/decide.ts';
import { decideFor, grantsOfService } from '../access/gate.ts';
import type { Call } from '../call/call.ts';
import { instanceFact, type Store } from '../store/index.ts';
import { cacheBounds } from './cache-store.ts';

/** The key of an address, or of a body: slashes count as dots (contract/services-other.md §7). */
export function keyOf(path: string): string {
  const key = path.replaceAll('/', '.');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  const isKey = key !== '' && !/[\x00-\x1f\x7f]/.test(key) && isWellFormed(key);
  if (!isKey || Buffer.byteLength(key) > cacheBounds.key) throw fail('cache.badKey', { limit: cacheBounds.key });
  return key;
}

/** Half of a character becomes another text on its way to a server. */
const isWellFormed = (text: string): boolean => Buffer.from(text).toString() === text;

/** From the most particular one on. */
const classes: readonly DecidingClass[] = ['exact', 'wildcard', 'service', 'all', 'none'];

/**
 * What refuses keys that the caller may not use. A key can be written with slashes, with dots and with both, and a role may name any of
 * these: to the rules of role-access §2 they are one component. `written` is the key as it was sent.
 */
export function keyAuthorizer({ caller, service }: Call): (verb: Verb, written: string) => void {
  const mixed = grantsOfService(caller, service)
    .map(({ component }) => componentKey(component))
    .filter((component) => component.includes('/') && component.includes('.'));
  return (verb, written) => {
    const component = componentOf(written);
    const [dotted, slashed] = [component.replaceAll('/', '.'), component.replaceAll('.', '/')];
    const others = mixed.filter((other) => other.replaceAll('/', '.') === dotted);
    const decisions = [...new Set([component, dotted, slashed, ...others])].map((form) =>
      decideFor(caller, verb, service, form),
    );
    const closest = Math.min(...decisions.map((decision) => classes.indexOf(decision.class)));
    const isAllowed = decisions.some((decision) => classes.indexOf(decision.class) === closest && decision.allowed);
    if (!isAllowed) throw fail('access.deniedInside', { verb, component, service });
  };
}

/** What every key of a service begins with on a server that others use: no other service and no other instance has it. */
export const prefixOf = async ({ db }: Pick<Store, 'db'>, serviceId: number): Promise<string> =>
  `sluice:${await instanceFact(db, 'instance_id', () => crypto.randomUUID())}:cache:${serviceId}:`;
