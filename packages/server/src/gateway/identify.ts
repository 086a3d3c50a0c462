import { chain, type MaybePromise, type Verb } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import type { IdentifyOptions } from '../identity/index.ts';
import type { AddressedService } from '../service/registry.ts';
import type { Platform } from './platform.ts';

/**
 * How the token of a call is used: one sent with a sign-in is ignored, and one sent for renewal may have expired
 * (contract/http-basics.md §2). Only services that people sign in through have such operations.
 */
export function tokenUse(
  addressed: AddressedService | undefined,
  path: string,
  verb: Verb,
): Pick<IdentifyOptions, 'ignoreToken' | 'allowExpired'> {
  const use = addressed?.type?.can.signIn && addressed.type.routes.tokenUse(path, verb);
  return { ignoreToken: use === 'ignored', allowExpired: use === 'expired' };
}

/** Finds out who calls. */
export function identify(
  call: Call,
  { identity, services }: Pick<Platform, 'identity' | 'services'>,
): MaybePromise<undefined> {
  const caller = chain(services.find(call.service), (addressed) => {
    const { ignoreToken, allowExpired } = tokenUse(addressed, call.path, call.verb);
    return identity.identify(call.credentials, { ignoreToken, allowExpired, requestor: 'API', origin: call });
  });
  return chain(caller, (caller) => {
    call.caller = caller;
    if (caller.token) identity.noteSessionUse(caller.token.id);
    return undefined;
  });
}
