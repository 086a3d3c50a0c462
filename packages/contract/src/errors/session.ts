import { errorsOfArea } from './catalogue.ts';

/** Credentials, sign-in and renewal (contract/http-basics.md §2, contract/sessions-and-accounts.md §3). */
export const sessionErrors = errorsOfArea('session', {
  expired: {
    status: 401,
    message:
      'Token has expired: Session expired. Please refresh your token (if still within refresh window) or re-login.',
  },
  blacklisted: { status: 403, message: 'The token has been blacklisted: Session terminated. Please re-login.' },
  invalid: { status: 401, message: (p: { reason: string }) => `Invalid token: ${p.reason}` },
  userInactive: { status: 403, message: 'User is not active.' },
  userGone: { status: 404, message: 'User not found.' },
  appInactive: { status: 403, message: 'App is not active.' },
  basicWrong: { status: 401, message: 'Unauthorized. User credentials did not match.' },
  missingEmail: { status: 400, message: 'Login request is missing required email.' },
  missingUsername: { status: 400, message: 'Login request is missing required username.' },
  missingPassword: { status: 400, message: 'Login request is missing required password.' },
  credentials: { status: 401, message: 'Invalid credentials supplied.' },
  tooMany: {
    status: 429,
    message: 'Too many attempts. Please try again in a moment.',
    hint: 'The header Retry-After says in how many seconds.',
  },
  gone: { status: 503, message: 'The attempt was given up because the caller went away.' },
  roleInactive: { status: 403, message: 'Role is not active.' },
  badLoginService: {
    status: 400,
    message: 'Invalid login service provided. Please use an OAuth or AD/Ldap service.',
  },
  badOauthService: { status: 400, message: 'Invalid login service provided. Please use an OAuth service.' },
  none: { status: 401, message: 'There is no valid session for the current request.' },
  notFound: { status: 404, message: 'No user session found.' },
  refreshFailed: { status: 401, message: (p: { reason: string }) => `Token refresh failed. ${p.reason}` },
});
