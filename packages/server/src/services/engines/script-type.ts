// What the types of script services share (contract/service-types.md §7): their configuration and their addresses. What such a
// service does is in scripts/script-service.ts.
import { type ConfigOf, configField as field, type ScriptTypeName, verbs } from '@sluice/contract';
import { requireScripting } from '../../scripts/disabled.ts';
import { openScriptService, type ScriptService } from '../../scripts/script-service.ts';
import { type Operation, type Operations, routesOf } from '../../service/operation.ts';
import { serviceType } from '../../service/service.ts';
import type { Settings } from '../../settings/index.ts';
import { cacheFields } from './fields.ts';

export const scriptFields = {
  queued: field.boolean({
    label: 'Queue For Later Execution',
    description: 'Calls are answered with 202 at once, and the script runs afterwards.',
    default: false,
  }),
  implements_access_list: field.boolean({
    label: 'Script Implements Access List',
    description: 'The script answers what roles may name of the service, instead of its definition.',
    default: false,
  }),
  // Braces are part of a script: lookups in it are filled when it runs.
  content: field.text({
    label: 'Content',
    description: 'The script. It sees event and platform, and what it returns is the answer.',
    literal: true,
  }),
  config: field.map({
    label: 'Additional Configuration',
    description:
      'delay: seconds that a queued script waits before it runs. connection and queue are kept and not used.',
  }),
  storage_service_id: field.integer({ label: 'Storage Service', description: 'The service that holds the script.' }),
  storage_path: field.string({ label: 'Storage Path', description: 'Where in that service it lies.' }),
  scm_repository: field.string({ label: 'Repository', description: 'Of a source-control service: its repository.' }),
  scm_reference: field.string({ label: 'Branch or Tag', description: 'Blank: the default one of the service.' }),
  ...cacheFields,
  service_event_map: field.rows<{ event: string | null; data: string | null }>({
    label: 'Service Event',
    description: 'Events that call this service once they are over. {service}.* stands for all events of a service.',
    items: [
      { name: 'event', label: 'Event', type: 'event_picklist', allow_null: false },
      {
        name: 'data',
        label: 'Data',
        type: 'text',
        description: 'What the script gets with it; blank: the name of the event.',
      },
    ],
    literal: true,
  }),
};

export type ScriptConfig = ConfigOf<typeof scriptFields>;

interface ScriptTypeFacts {
  name: ScriptTypeName;
  label: string;
  description: string;
}

/** A type of services that are scripts of one language. */
export const scriptType = (facts: ScriptTypeFacts, settings: Settings) =>
  serviceType({
    ...facts,
    group: 'Script',
    can: { editableDefinition: true, accessList: true, cache: true },
    config: scriptFields,
    check: () => requireScripting(facts.name, settings),
    open: (config, context) => openScriptService(facts.name, config, context),
    routes,
  });

const runs: Operation<ScriptService> = {
  summary: 'Run the script',
  answer: 'any value',
  errors: ['script.timeout', 'script.tooMuchOutput', 'script.threw'],
  handle: (call, _values, service) => service.respond(call),
};
const operations: Operations<ScriptService> = Object.fromEntries(
  verbs.map((verb) => [
    verb,
    verb === 'GET' ? { ...runs, parameters: ['as_access_list', 'log_output'] } : { ...runs, body: 'any value' },
  ]),
);
const route = routesOf<ScriptService>();
const routes = [
  route('', operations),
  // Its addresses are those that the script answers.
  route('{+path}', operations as Operations<ScriptService, '{+path}'>, { isHidden: true, isDefined: true, event: '' }),
];
