// What the actor may do with resources a record leads to. Whether they may do with the resource itself what they ask is
// decided before the engine is called (gateway/).
import { fail, type Verb, verbMask } from '@sluice/contract';
import { maskOf } from '../access/gate.ts';
import type { RecordContext, ServedResource } from '../resource/resource.ts';

/** Whether the actor may do this on the resource of that name. */
export const mayDo = ({ actor }: Pick<RecordContext, 'actor'>, component: string, verb: Verb): boolean =>
  (maskOf(actor.caller, actor.service, component) & verbMask[verb]) !== 0;

/** Refuses an actor who may not do this on the resource of that name. */
export function requireVerb(context: RecordContext, component: string, verb: Verb): void {
  if (!mayDo(context, component, verb))
    throw fail('access.deniedInside', { verb, component, service: context.actor.service });
}

/**
 * A relation to a resource with an address of its own is decided as a call on that address; rows that only exist as
 * part of their owner come with it (docs/design.md, "The life of a call"), unless they are another's (`ownedBy`).
 */
export function requireRelated(context: RecordContext, owner: string, target: ServedResource, verb: Verb): void {
  const { definition, isAddressed, ownedBy } = target;
  if (isAddressed) requireVerb(context, definition.name, verb);
  else if (ownedBy && !ownedBy.includes(owner)) requireVerb(context, ownedBy[0], verb === 'GET' ? 'GET' : 'PATCH');
}
