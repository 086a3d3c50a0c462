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
  resetWithoutLogin: {
    status: 400,
    message: (p: { attribute: string }) =>
      p.attribute === 'username'
        ? 'Missing required username.'
        : 'Missing required email for password reset confirmation.',
  },
  resetWithoutPassword: { status: 400, message: 'Missing new password for reset.' },
  codeMissing: { status: 400, message: 'Invalid confirmation code.' },
  codeWrong: {
    status: 404,
    message: (p: { attribute: string }) =>
      `The supplied ${p.attribute} and/or confirmation code were not found in the system.`,
  },
  codeExpired: { status: 400, message: 'Confirmation code expired.' },
  answerMissing: { status: 400, message: 'Missing security answer.' },
  answerUnknown: {
    status: 404,
    message: (p: { attribute: string }) =>
      `The supplied ${p.attribute} and confirmation code were not found in the system.`,
  },
  answerWrong: { status: 400, message: 'The answer supplied does not match.' },
  registrationInvalid: { status: 400, message: 'Validation failed' },
  registrationClosed: { status: 403, message: 'Open Registration is not enabled.' },
  confirmationFailed: {
    status: 500,
    message: (p: { reason: string }) => `Error processing user confirmation.\n${p.reason}`,
  },
  noData: { status: 400, message: 'No data supplied for operation.' },
  noSetup: { status: 404, message: 'This instance is already set up.' },
  setupCode: {
    status: 400,
    message: 'The set-up code is not right. It is printed where the server was started.',
  },
});
