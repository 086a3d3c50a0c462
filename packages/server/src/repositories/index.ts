// Services that show the repositories of an account of a code host (contract/services-other.md §6): every type of the group Source
// Control is made by `repositoryType`. names.ts checks what callers name, host-api.ts calls the host.
import { type ConfigFields, type ConfigOf, fail, truthy } from '@sluice/contract';
import { componentOf } from '../access/decide.ts';
import { decideFor } from '../access/gate.ts';
import { answer, type Call, type Reply } from '../call/call.ts';
import { type CallSlots, createCallSlots } from '../call/call-slots.ts';
import { parseCommaList } from '../call/list-query.ts';
import { routesOf } from '../service/operation.ts';
import { selectKeys } from '../service/root.ts';
import { type ServiceType, serviceType, type TypeDefinition } from '../service/service.ts';
import type { CodeHost, NamedRecord, Page } from './code-host.ts';
import { rawReply } from './content.ts';
import { checkPath, checkReference, checkRepository } from './names.ts';

/** What is particular to a type; the rest is the same for all. */
type RepositoryTypeDefinition<F extends ConfigFields> = Pick<
  TypeDefinition<F, never>,
  'name' | 'label' | 'description' | 'check' | 'address'
> & { config: F; open(config: ConfigOf<F>): CodeHost };

/** An open service. */
interface RepositoryService {
  host: CodeHost;
  /** How many calls of the host are under way at once; others wait. */
  slots: CallSlots;
}

/** Calls of callers at a time, and milliseconds that one waits. An answer of a host may hold megabytes. */
const maxCalls = 8;
const waitTime = 30_000;
const maxWaiting = 500;
const busy = () => fail('repository.busy');
/** Repositories of a page where a call does not say, and at most: what all hosts take. */
const usualPerPage = 50;
const maxPerPage = 100;
const usualReference = 'master';

/** Declares a type of service that shows repositories. */
export function repositoryType<F extends ConfigFields>(definition: RepositoryTypeDefinition<F>): ServiceType<F> {
  const { open, ...facts } = definition;
  return serviceType<F, RepositoryService>({
    ...facts,
    group: 'Source Control',
    can: { repositories: true, accessList: true },
    open: (config) => ({
      host: open(config),
      slots: createCallSlots({ total: maxCalls, kept: 2, maxWaiting, waitTime, busy }),
    }),
    test: async (config) => void (await open(config).list({ page: 1, perPage: 1 }, AbortSignal.timeout(waitTime))),
    resources: [
      {
        entry: {
          name: '_repo',
          label: 'Repositories',
          description: 'The repositories of the account, and what lies in them.',
        },
        routes: [
          route('', {
            GET: {
              summary: 'List the repositories',
              parameters: ['page', 'per_page', 'fields', 'as_list'],
              answer: 'records',
              errors: ['repository.unreachable'],
              handle: (call, _values, service) => listRepositories(call, service),
            },
          }),
          route('{repo}', {
            GET: { ...readOperation, handle: (call, { repo }, service) => read(call, service, repo) },
          }),
          route('{repo}/{+path}', {
            GET: { ...readOperation, handle: (call, { repo, path }, service) => read(call, service, repo, path) },
          }),
        ],
      },
    ],
  });
}

const route = routesOf<RepositoryService>();

const readOperation = {
  summary: 'List a folder of a repository, or read a file',
  parameters: ['path', 'branch', 'tag', 'content', 'fields', 'as_list'],
  answer: 'object',
  // What the host refuses has the status that the host gave it.
  errors: ['repository.badName', 'repository.badPath', 'repository.badReference', 'repository.unreachable'],
} as const;

async function listRepositories(call: Call, service: RepositoryService): Promise<Reply> {
  const page = readPage(call);
  return listReply(call, await service.slots.run(call, () => service.host.list(page, call.signal)));
}

/** `page` and `per_page`; what is no number counts as not sent. */
function readPage({ query }: Call): Page {
  const number = (name: string, otherwise: number, max: number) => {
    const value = Number(query.get(name));
    return Number.isInteger(value) && value >= 1 ? Math.min(value, max) : otherwise;
  };
  return { page: number('page', 1, 1_000_000), perPage: number('per_page', usualPerPage, maxPerPage) };
}

/** Answers what lies at a path, which is that of the address, or else of the query. */
async function read(call: Call, service: RepositoryService, repository: string, addressed = ''): Promise<Reply> {
  const { query } = call;
  const path = checkPath(addressed || (query.get('path') ?? ''));
  const reference = checkReference(query.get('branch') || query.get('tag') || usualReference);
  const place = { repository: checkRepository(repository), path, reference };
  authorizePath(call, path === '' ? `_repo/${repository}` : `_repo/${repository}/${path}`);
  const wanted = path !== '' && truthy(query.get('content')) ? 'bytes' : 'description';
  const found = await service.slots.run(call, () => service.host.find(place, wanted, call.signal));
  if ('entries' in found) return listReply(call, found.entries);
  return 'bytes' in found ? rawReply(found.bytes) : answer(selectKeys(found.description, fieldsOf(call)));
}

/** A path of the query is decided as one of the address: a role may have a row for it. */
function authorizePath({ caller, service }: Call, path: string): void {
  const component = componentOf(path);
  if (!decideFor(caller, 'GET', service, component).allowed)
    throw fail('access.deniedInside', { verb: 'GET', component, service });
}

const fieldsOf = ({ query }: Call): string[] => parseCommaList(query.get('fields')) ?? ['*'];

function listReply(call: Call, list: NamedRecord[]): Reply {
  if (truthy(call.query.get('as_list'))) return answer({ resource: list.map(({ name }) => name) });
  const fields = fieldsOf(call);
  return answer({ resource: list.map(({ record }) => selectKeys(record, fields)) });
}
