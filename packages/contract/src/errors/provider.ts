import { errorsOfArea } from './catalogue.ts';

/** Signing in by a provider elsewhere (contract/sessions-and-accounts.md §9). */
export const providerErrors = errorsOfArea('provider', {
  unreachable: {
    status: 503,
    message: (p: { problem: string }) => `The sign-in provider is not available: ${p.problem}.`,
  },
  oddAnswer: {
    status: 502,
    message: (p: { problem: string }) => `The sign-in provider sent an answer that cannot be used: ${p.problem}.`,
  },
  denied: { status: 401, message: 'The sign-in was cancelled or refused by the provider.' },
  refused: {
    status: 401,
    message: (p: { reason: string }) => `The provider did not confirm this sign-in: ${p.reason}.`,
    hint: 'A wrong client id, client secret or redirect URL in the configuration of the service is refused so, too.',
  },
  noToken: { status: 400, message: 'No access token of the provider was sent.' },
  unverifiable: {
    status: 400,
    message: 'Tokens of this provider are not accepted, as it cannot be told for whom they were issued.',
    hint: 'Sign in with a browser instead.',
  },
  addressTaken: { status: 409, message: 'The address that this sign-in would have belongs to another person.' },
});
