import { errorsOfArea } from './catalogue.ts';

/** People as records: users, administrators, their roles per app (contract/system-resources.md §2). */
export const personErrors = errorsOfArea('person', {
  changeAdmin: { status: 403, message: 'Not allowed to change an admin user.' },
  changeUser: { status: 400, message: 'Cannot update a non-admin user.' },
  deleteAdmin: { status: 403, message: 'Not allowed to delete an admin user.' },
  deleteUser: { status: 400, message: 'Cannot delete a non-admin user.' },
  adminsOnly: { status: 403, message: 'Only administrators may create, change or delete administrators.' },
  passwordOfAnother: {
    status: 403,
    message: 'Only administrators may set the password or the security question of another person.',
  },
  ownPassword: {
    status: 403,
    message: 'Your own password and security question are not changed here.',
    hint: 'Use user/password and user/profile.',
  },
  deleteSelf: { status: 403, message: 'Cannot delete your account.' },
  deactivateSelf: {
    status: 403,
    message: 'Cannot deactivate your account.',
    hint: 'Another administrator can.',
  },
  lastAdmin: { status: 403, message: 'The last active administrator cannot be removed.' },
  secondRole: {
    status: 400,
    message: 'Multiple user-to-app-to-role assignment. You can only have a single user-to-app-to-role assignment.',
  },
  confirmed: { status: 400, message: 'User with this identifier has already confirmed this account.' },
  inviteFailed: {
    status: 500,
    message: (p: { reason: string }) => `Error processing user invite. ${p.reason}`,
  },
  invites: { status: 500, message: 'Not all users were created successfully. Check log for more details.' },
});

/** Lookup keys (contract/system-resources.md §11). */
export const lookupErrors = errorsOfArea('lookup', {
  ofConfig: {
    status: 403,
    message: (p: { name: string }) =>
      `The configuration of a service names {${p.name}}: only an administrator may say what it stands for.`,
  },
  ofOwnFilter: {
    status: 403,
    message: (p: { name: string }) =>
      `A record filter goes by {${p.name}}: only who may see the records without it may say what it stands for.`,
  },
  taken: { status: 400, message: 'Lookup name can not be modified to one that already exists.' },
  tooMany: {
    status: 400,
    message: (p: { count: number; sum: number; keys: number; bytes: number }) =>
      `One person, role, app or the instance may have ${p.keys} public lookup keys with ${p.bytes} bytes of names and values; these would be ${p.count} with ${p.sum} bytes.`,
    hint: 'Every call reads them. Longer texts belong into a table or a custom setting.',
  },
  tooMuch: {
    status: 400,
    message: (p: { max: number }) =>
      `What stands for names in braces may have ${p.max} characters in one call; it has more.`,
    hint: 'Send fewer records at once, or write the value itself.',
  },
  tooManyNames: {
    status: 400,
    message: (p: { max: number }) => `Values are put in for ${p.max} names in braces in one call; it has more.`,
    hint: 'Send fewer records at once, or write the value itself.',
  },
  unread: {
    status: 400,
    message: (p: { name: string; keys: number; bytes: number }) =>
      `What {${p.name}} stands for was not read: one owner may have ${p.keys} public lookup keys with ${p.bytes} bytes, and has more.`,
    hint: 'An administrator has to delete some lookup keys of the instance, the app, the role or the person.',
  },
});
