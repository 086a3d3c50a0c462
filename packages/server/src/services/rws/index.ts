// APIs elsewhere that are called by way of this instance (contract/services-other.md §2). service.ts makes a call of the remote
// service out of a call: address.ts where it goes, request.ts what is sent, answer.ts what comes back.
import { verbs } from '@sluice/contract';
import { type Operation, type Operations, routesOf } from '../../service/operation.ts';
import { serviceType } from '../../service/service.ts';
import { privateTargetsOf, type Settings } from '../../settings/index.ts';
import { checkRemote, remoteFields } from './config.ts';
import { openRemote, type RemoteService, testRemote, typeName } from './service.ts';

/** An API elsewhere, with its own parameters and headers. */
export const remoteService = (settings: Settings) =>
  serviceType<typeof remoteFields, RemoteService>({
    name: typeName,
    label: 'HTTP Service',
    description: 'An API elsewhere, called by way of this instance, with parameters and headers of its own.',
    group: 'Remote Service',
    can: { editableDefinition: true, accessList: true, cache: true },
    config: remoteFields,
    check: checkRemote,
    address: ({ base_url }) => (base_url && URL.canParse(base_url) ? new URL(base_url).host : undefined),
    test: (config) => testRemote(config, privateTargetsOf(settings)),
    open: (config, context) => openRemote(config, context, privateTargetsOf(settings)),
    routes: routesTo(settings.uploadLimit),
  });

const calls: Operation<RemoteService> = {
  summary: 'Call the remote service',
  description:
    'What stands behind the name of the service is the path of the call. A definition of the service describes its paths.',
  answer: 'any value',
  // What it refuses has the status that it gave.
  errors: ['remote.noAddress', 'remote.unreachable'],
  handle: (call, _values, service) => service.respond(call),
};

function routesTo(limit: number) {
  const operations: Operations<RemoteService> = Object.fromEntries(
    verbs.map((verb) => [
      verb,
      verb === 'GET'
        ? { ...calls, parameters: ['as_access_list'] }
        : { ...calls, body: 'any value', streams: { limit, readsShort: true } },
    ]),
  );
  const route = routesOf<RemoteService>();
  return [
    route('', operations),
    // Its addresses are those of the remote service.
    route('{+path}', operations as Operations<RemoteService, '{+path}'>, {
      isHidden: true,
      isDefined: true,
      event: '',
    }),
  ];
}
