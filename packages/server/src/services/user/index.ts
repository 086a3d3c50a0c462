// The service `user`: sign-in, password and profile of whoever calls. People as records are `system/user`;
// what these calls do is in identity/.
import { fail } from '@sluice/contract';
import { passwordHandler } from '../../identity/handlers/password.ts';
import { profileHandler } from '../../identity/handlers/profile.ts';
import type { AccountHandler } from '../../identity/handlers/request.ts';
import { sessionHandler } from '../../identity/handlers/session.ts';
import type { Identity } from '../../identity/index.ts';
import { listResources } from '../../service/root.ts';
import { type Operation, type ServiceType, serviceType } from '../../service/service.ts';
import type { Settings } from '../../settings/index.ts';
import { config } from './config.ts';

/** The service type `user`; of an instance's identity, since there is one of both. */
export function userService(
  identity: Identity,
  settings: Pick<Settings, 'loginAttribute'>,
): ServiceType<typeof config> {
  const handlers = new Map<string, AccountHandler>([
    ['password', passwordHandler(identity)],
    ['profile', profileHandler(identity)],
    ['session', sessionHandler(identity, settings)],
  ]);
  return serviceType({
    name: 'user',
    label: 'User service',
    description: 'Lets people sign in and change their password and profile.',
    group: 'User',
    singleton: true,
    config,
    open: () => ({
      operations: () => operations,
      async handle(call) {
        const path = call.path.replace(/\/$/, '');
        const handler = handlers.get(path.toLowerCase());
        if (handler) return handler(call, 'user');
        if (path !== '') throw fail('service.resourceUnknown', { resource: path, service: call.service });
        if (call.verb === 'GET') return listResources(call, resources, accessList);
        throw fail('http.verbNotSupported', { verb: call.verb, path: '', service: call.service }, { allow: ['GET'] });
      },
      accessList: async (_call, allowed) => accessList(allowed),
    }),
  });
}

const resources = [
  { name: 'password', label: 'Password' },
  { name: 'profile', label: 'Profile' },
  { name: 'session', label: 'Session' },
];

const operations: Operation[] = [
  { verb: 'GET', path: '', summary: 'List the resources of the user service' },
  { verb: 'GET', path: 'session', summary: 'The session of the caller' },
  { verb: 'POST', path: 'session', summary: 'Sign in' },
  { verb: 'PUT', path: 'session', summary: 'Renew the session' },
  { verb: 'DELETE', path: 'session', summary: 'Sign out' },
  { verb: 'POST', path: 'password', summary: 'Change the own password' },
  { verb: 'PUT', path: 'password', summary: 'Change the own password' },
  { verb: 'PATCH', path: 'password', summary: 'Change the own password' },
  { verb: 'GET', path: 'profile', summary: 'The profile of the caller' },
  { verb: 'POST', path: 'profile', summary: 'Change the own profile' },
  { verb: 'PUT', path: 'profile', summary: 'Change the own profile' },
  { verb: 'PATCH', path: 'profile', summary: 'Change the own profile' },
];

/** Components usable in role rows (contract/sessions-and-accounts.md §12). */
function accessList(allowed: (component: string) => number): string[] {
  return allowed('') === 0 ? [] : ['', '*', ...resources.map(({ name }) => `${name}/`)];
}
