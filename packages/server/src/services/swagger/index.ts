// API docs: OpenAPI documents of the services a caller may use (contract/services-other.md §9). Open to everybody, since what is
// in them is what the caller may do.
import { Readable } from 'node:stream';
import { fail, truthy } from '@sluice/contract';
import { maskOf, maskOfService } from '../../access/gate.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import {
  type DocumentedServices,
  documentedServices,
  documentOf,
  type Form,
  otherServices,
  readServices,
  type TextFormat,
  visibleServices,
  writeParts,
} from '../../openapi/index.ts';
import { routesOf } from '../../service/operation.ts';
import type { ServiceRow } from '../../service/registry.ts';
import { type OpenService, serviceType } from '../../service/service.ts';

interface DocsService extends OpenService {
  services(): DocumentedServices;
  label: string;
}

const route = routesOf<DocsService>();
const documentParameters = ['openapi', 'refresh', 'file'];

/** The service type of API docs; there is one service of it. */
export const swagger = serviceType({
  name: 'swagger',
  label: 'API Docs',
  description: 'Documents of what services offer, as OpenAPI.',
  group: 'API Doc',
  can: { accessList: true },
  singleton: true,
  config: null,
  routes: [
    route(
      '',
      {
        GET: {
          summary: 'The document of all services',
          description:
            'What the caller may do, as JSON or YAML. With as_list the names of the services that have a document.',
          parameters: [...documentParameters, 'as_list', 'as_access_list'],
          answer: 'object',
          errors: ['docs.version'],
          handle: (call, _values, service) => answerRoot(call, service),
        },
      },
      { public: ['GET'] },
    ),
    route(
      '{service}',
      {
        GET: {
          summary: 'The document of a service',
          description: 'What the caller may do, as JSON or YAML.',
          parameters: documentParameters,
          answer: 'object',
          errors: ['docs.version', 'docs.noAccess', 'docs.unknown', 'docs.none'],
          handle: (call, { service: name }, service) => answerOne(call, name, service),
        },
      },
      { public: ['GET'] },
    ),
  ],
  open: (_config, context): DocsService => ({
    services: context.require(documentedServices),
    label: context.label,
  }),
});

async function answerRoot(call: Call, { services, label }: DocsService): Promise<Reply> {
  const rows = await visibleServices(services(), call.caller);
  const names = rows.map(({ name }) => name);
  if (truthy(call.query.get('as_access_list'))) {
    const isRootHeld = maskOf(call.caller, call.service, '') !== 0;
    return answer({ resource: [...(isRootHeld ? ['', '*'] : []), ...names] });
  }
  if (truthy(call.query.get('as_list'))) return answer({ resource: names });
  return sendDocument(call, services(), rows, {
    title: label,
    description: 'What the services of this instance offer to you.',
  });
}

async function answerOne(call: Call, name: string, { services }: DocsService): Promise<Reply> {
  const rows = await services().rows();
  const row = rows.find(({ key, isActive }) => isActive && key === name.toLowerCase());
  if (!row) throw fail('docs.unknown', { service: name.slice(0, 200) });
  if (maskOfService(call.caller, row.key) === 0) throw fail('docs.noAccess', { service: row.name });
  if (!services().type(row.type)) throw fail('docs.none', { service: row.name });
  return sendDocument(call, services(), [row]);
}

async function sendDocument(
  call: Call,
  services: DocumentedServices,
  rows: ServiceRow[],
  title?: { title: string; description: string },
): Promise<Reply> {
  const form = formOf(call.query.get('openapi'));
  const format = formatOf(call);
  const documented = await readServices(services, rows, { refresh: mayRefresh(call, rows) });
  const allRows = await services.rows();
  const ids = new Map(allRows.map(({ id, key }) => [id, key]));
  const parts = {
    ...{ caller: call.caller, form, services: documented },
    serviceKey: (id: number) => ids.get(id),
    otherService: otherServices(services, allRows),
  };
  return {
    body: {
      type: `application/${format}; charset=utf-8`,
      open: () => Readable.from(writeParts(documentOf(title ? { ...parts, title } : parts), format)),
    },
  };
}

function formOf(version: string | undefined): Form {
  if (!version?.trim() || /^3\.0(\.\d+)?$/.test(version.trim())) return '3.0';
  if (/^3\.1(\.\d+)?$/.test(version.trim())) return '3.1';
  throw fail('docs.version', { version: version.slice(0, 40) });
}

/** `file=` decides by its ending, else what the caller accepts. */
function formatOf(call: Call): TextFormat {
  const file = call.query.get('file') ?? '';
  if (/\.\w+$/.test(file)) return /\.ya?ml$/i.test(file) ? 'yaml' : 'json';
  return /\byaml\b/i.test(call.query.get('accept') ?? call.header('accept') ?? '') ? 'yaml' : 'json';
}

/** Reading a schema again is work for its database: for callers who may have it done by the service itself. */
const mayRefresh = ({ caller, query }: Call, rows: readonly ServiceRow[]): boolean =>
  truthy(query.get('refresh')) && rows.every(({ key }) => (maskOf(caller, key, '_schema') & 1) !== 0);
