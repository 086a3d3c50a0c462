// Sign-ins that a provider confirms by what it has the browser send here, a POST from another site (SAML). The cookie that tells
// browsers apart does not come along there (SameSite=Lax): what was confirmed then waits, and the browser, sent on to an address of
// this instance, brings the cookie and completes it (ADR 0034).
import type { Session } from '@sluice/contract';
import type { ExternalCall } from './index.ts';
import { isOfBrowser, type PendingSignIns } from './pending.ts';
import type { ExternalService, ProviderPerson } from './provider.ts';

/** What a provider confirmed, with what its type needs to answer the browser. */
export interface Confirmed {
  person: ProviderPerson;
  [detail: string]: unknown;
}

export interface AssertionSignIn {
  /** Begins one in a browser, and answers its state, 40 characters. */
  begin(service: ExternalService, call: ExternalCall): Promise<string>;
  /** Whether the sign-in of a state is under way by a service, in whatever browser: what answers none needs no look. */
  isOpen(service: ExternalService, state: string): Promise<boolean>;
  /**
   * Signs in by what `read` makes of an answer to a state, once. Without the cookie of any browser it answers the state to complete it
   * by; undefined where it is over, or of another browser. An answer that `read` refuses ends the sign-in.
   */
  confirm<C extends Confirmed>(
    service: ExternalService,
    state: string,
    read: () => Promise<C>,
    call: ExternalCall,
  ): Promise<{ session: Session; confirmed: C } | { state: string } | undefined>;
  /** Completes what was confirmed before, in the browser that began it. */
  complete<C extends Confirmed>(
    service: ExternalService,
    state: string,
    call: ExternalCall,
  ): Promise<{ session: Session; confirmed: C } | undefined>;
}

interface AssertionParts {
  pending: PendingSignIns;
  /** Lets a person in, and audits it. */
  admit(service: ExternalService, person: ProviderPerson, call: ExternalCall): Promise<Session>;
  /** Audits what is refused with. */
  auditRefusal<T>(service: ExternalService, call: ExternalCall, run: () => Promise<T>): Promise<T>;
}

export function createAssertionSignIn({ pending, admit, auditRefusal }: AssertionParts): AssertionSignIn {
  async function readOnce<C>(state: string, read: () => Promise<C>): Promise<C> {
    try {
      return await read();
    } catch (error) {
      await pending.end(state);
      throw error;
    }
  }

  return {
    begin: async (service, call) => (await pending.add(service.id, call)).state,
    isOpen: (service, state) => pending.isOpen(state, service.id),

    async confirm(service, state, read, call) {
      const confirmed = await auditRefusal(service, call, () => readOnce(state, read));
      if (!isOfBrowser(call)) {
        const next = await pending.confirm(state, confirmed);
        return next === undefined ? undefined : { state: next };
      }
      const started = await pending.take(state, call);
      if (started?.serviceId !== service.id) return undefined;
      const session = await auditRefusal(service, call, () => admit(service, confirmed.person, call));
      return { session, confirmed };
    },

    async complete<C extends Confirmed>(service: ExternalService, state: string, call: ExternalCall) {
      const started = await pending.take(state, call);
      const confirmed = started?.proof.confirmed as C | undefined;
      if (started?.serviceId !== service.id || !confirmed) return undefined;
      const session = await auditRefusal(service, call, () => admit(service, confirmed.person, call));
      return { session, confirmed };
    },
  };
}
