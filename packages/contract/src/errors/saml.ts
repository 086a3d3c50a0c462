import { errorsOfArea } from './catalogue.ts';

/** Signing in by SAML 2.0 (contract/sessions-and-accounts.md §9). */
export const samlErrors = errorsOfArea('saml', {
  // One text for all that is wrong with it, so that nobody can find out step by step what would be taken.
  invalidResponse: {
    status: 400,
    message: 'Invalid SAML Response provided',
    hint: 'The log of the instance says why. A sign-in begins at {service}/sso and ends in the same browser within three minutes.',
  },
  providerFailed: {
    status: 500,
    message: (p: { problem: string }) => `Bad response received from idp. ${p.problem}`,
  },
  noAddress: {
    status: 503,
    message: 'Sign-in by SAML needs to know the address that people reach this instance at.',
    hint: 'Set SLUICE_PUBLIC_URL.',
  },
});
