import { anonymousCaller, type Caller } from '../call/call.ts';

/** A person with a role who calls through an app. */
export const caller: Caller = {
  ...anonymousCaller,
  user: {
    id: 7,
    name: 'Ada Lovelace',
    firstName: 'Ada',
    lastName: null,
    username: 'ada',
    email: 'ada@example.com',
    phone: null,
    isAdmin: false,
    defaultAppId: null,
    lastLoginDate: null,
  },
  role: { id: 3, name: 'reader', isActive: true, access: [] },
  app: { id: 2, name: 'shop', apiKey: 'k', roleId: null },
  token: { text: 't', id: 't', expiresAt: 0 },
  hasSentKey: true,
  hasSentToken: true,
};
