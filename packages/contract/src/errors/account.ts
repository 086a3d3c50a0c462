import { errorsOfArea } from './catalogue.ts';

/** Passwords, profiles and the first administrator (contract/sessions-and-accounts.md §5, §8, §11). */
export const accountErrors = errorsOfArea('account', {
  notEnough: { status: 400, message: 'Not enough information provided to change password.' },
  bothPasswords: { status: 400, message: 'Both old and new password are required to change the password.' },
  oldPasswordWrong: { status: 400, message: 'The password supplied does not match.' },
  wrongKind: {
    status: 401,
    message: (p: { email: string }) => `You are not authorized to reset/change password for the account ${p.email}`,
  },
  resetUnavailable: {
    status: 501,
    message: 'Setting a password without the old one is not available on this server yet.',
    hint: 'An administrator can set a new password in the record of the user.',
  },
  noData: { status: 400, message: 'No data supplied for operation.' },
  noSetup: { status: 404, message: 'This instance is already set up.' },
  setupCode: {
    status: 400,
    message: 'The set-up code is not right. It is printed where the server was started.',
  },
});
