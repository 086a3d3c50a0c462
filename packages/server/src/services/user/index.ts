// The service `user`: sign-in, password and profile of whoever calls. People as records are `system/user`;
// what these calls do is in identity/.
import { fail, truthy, verbsOf } from '@sluice/contract';
import { maskOf } from '../../access/gate.ts';
import { answer, type Call, type Reply } from '../../gateway/call.ts';
import { listQuery } from '../../gateway/list-query.ts';
import { passwordHandler } from '../../identity/handlers/password.ts';
import { profileHandler } from '../../identity/handlers/profile.ts';
import type { AccountHandler } from '../../identity/handlers/request.ts';
import { sessionHandler } from '../../identity/handlers/session.ts';
import type { Identity } from '../../identity/index.ts';
import type { Settings } from '../../settings.ts';
import { type Operation, type ServiceType, serviceType } from '../service.ts';
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
        if (call.verb === 'GET') return listRoot(call);
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

function listRoot(call: Call): Reply {
  const { query } = call;
  const mask = (component: string) => maskOf(call.caller, call.service, component);
  if (truthy(query.get('as_access_list'))) return answer({ resource: accessList(mask) });
  if (truthy(query.get('as_list'))) return answer({ resource: resources.map(({ name }) => name) });
  const { fields = 'name' } = listQuery(call);
  const asked = typeof fields === 'string' ? fields.split(',').map((field) => field.trim()) : fields;
  return answer({
    resource: resources.map((resource) => ({
      ...Object.fromEntries(Object.entries(resource).filter(([key]) => asked.includes('*') || asked.includes(key))),
      ...(truthy(query.get('include_access')) ? { access: verbsOf(mask(resource.name)) } : {}),
    })),
  });
}
