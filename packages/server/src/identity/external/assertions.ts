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
   * Signs in by what was confirmed of a state, once. Without the cookie of any browser it answers the state to complete it by;
   * undefined where it is over, or of another browser.
   */
  confirm(
    service: ExternalService,
    state: string,
    confirmed: Confirmed,
    call: ExternalCall,
  ): Promise<{ session: Session } | { state: string } | undefined>;
  /** Completes what was confirmed before, in the browser that began it. */
  complete<C extends Confirmed>(
    service: ExternalService,
    state: string,
    call: ExternalCall,
  ): Promise<{ session: Session; confirmed: C } | undefined>;
  /** Ends the sign-in of a state: what was sent for it is no good. */
  end(state: string): Promise<void>;
}

export function createAssertionSignIn(
  pending: PendingSignIns,
  admit: (service: ExternalService, person: ProviderPerson, call: ExternalCall) => Promise<Session>,
): AssertionSignIn {
  return {
    begin: async (service, call) => (await pending.add(service.id, call)).state,
    isOpen: (service, state) => pending.isOpen(state, service.id),

    async confirm(service, state, confirmed, call) {
      if (!isOfBrowser(call)) {
        const next = await pending.confirm(state, confirmed);
        return next === undefined ? undefined : { state: next };
      }
      const started = await pending.take(state, call);
      if (started?.serviceId !== service.id) return undefined;
      return { session: await admit(service, confirmed.person, call) };
    },

    async complete<C extends Confirmed>(service: ExternalService, state: string, call: ExternalCall) {
      const started = await pending.take(state, call);
      const confirmed = started?.proof.confirmed as C | undefined;
      if (started?.serviceId !== service.id || !confirmed) return undefined;
      return { session: await admit(service, confirmed.person, call), confirmed };
    },

    end: (state) => pending.end(state),
  };
}
