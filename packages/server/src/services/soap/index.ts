// Services elsewhere that speak SOAP: their operations as calls with JSON (contract/services-other.md §3). service.ts makes a call of
// an operation out of a call; the SOAP library has a thread of its own for each service (thread/worker.ts), and no connection.
import { fail, truthy } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { readListQuery } from '../../call/list-query.ts';
import { type Operation, routesOf } from '../../service/operation.ts';
import { callerMask } from '../../service/root.ts';
import { serviceType } from '../../service/service.ts';
import { privateTargetsOf, type Settings } from '../../settings/index.ts';
import { TimeoutError, withTimeout } from '../../store/dialects/within.ts';
import { checkSoap, soapFields, wsdlPlace } from './config.ts';
import { readOptions } from './options.ts';
import { describeOperation, listed, openSoap, type SoapService, testSoap } from './service.ts';

const route = routesOf<SoapService>();

const operation: Omit<Operation<SoapService, '{operation}'>, 'summary'> = {
  description:
    'The name of the operation counts in any letter case. {"soapvar": {"data", "type_name", "type_namespace"}} is a value that says its own type.',
  answer: 'any value',
  errors: [
    ...(['soap.unknownFunction', 'soap.badArguments', 'soap.fault', 'soap.badAnswer', 'soap.startup'] as const),
    'remote.unreachable',
  ],
  handle: (call, { operation: name }, service) => service.call(call, name),
};

/** A SOAP service elsewhere, its operations as calls. */
export const soap = (settings: Settings) =>
  serviceType<typeof soapFields, SoapService>({
    name: 'soap',
    label: 'SOAP Service',
    description: 'The operations of a SOAP service elsewhere, called with JSON.',
    group: 'Remote Service',
    can: { accessList: true, cache: true },
    config: soapFields,
    check: checkSoap,
    address: addressOf,
    test: (config, context) => testSoap(config, context, privateTargetsOf(settings)),
    open: (config, context) => openSoap(config, context, privateTargetsOf(settings)),
    resources: [
      {
        // Operations stand directly below the service.
        entry: { name: '' },
        items: {
          placeholder: 'operation',
          names: async (service, refresh) => {
            const operations = await withTimeout(listTime, service.operations(refresh)).catch(refuseLate);
            return operations.map(({ name }) => name);
          },
          describe: async (service) => (name) => describeOperation(service, name),
        },
        routes: [
          route('{operation}', {
            GET: { ...operation, summary: 'Call an operation with arguments in the query', parameters: [] },
            POST: { ...operation, summary: 'Call an operation', body: 'any value' },
          }),
        ],
      },
    ],
    routes: [
      route('', {
        GET: {
          summary: 'List the operations',
          description: 'Those that the caller may call in any way, in natural order.',
          parameters: ['fields', 'as_list', 'as_access_list'],
          answer: 'records',
          errors: ['soap.startup', 'remote.unreachable'],
          handle: listOperations,
        },
      }),
    ],
  });

/** Milliseconds that lists of all services wait for the WSDL of one. */
const listTime = 5_000;

function refuseLate(error: unknown): never {
  throw error instanceof TimeoutError ? fail('remote.timeout', { problem: 'its WSDL takes too long' }) : error;
}

async function listOperations(call: Call, _values: unknown, service: SoapService): Promise<Reply> {
  const visible = (await service.operations()).filter(({ name }) => callerMask(call, name) !== 0);
  const names = visible.map(({ name }) => name);
  if (truthy(call.query.get('as_access_list')))
    return answer({ resource: [...(callerMask(call, '') === 0 ? [] : ['', '*']), ...names] });
  if (truthy(call.query.get('as_list'))) return answer({ resource: names });
  return answer({ resource: listed(visible, call, readListQuery(call).fields || 'name') });
}

/** Where it lies, for administrators. */
function addressOf({
  wsdl,
  options,
}: {
  wsdl: string | null;
  options: Record<string, string> | null;
}): string | undefined {
  const place = wsdlPlace(wsdl);
  if (place) return 'address' in place ? place.address.host : place.file;
  return readOptions(options ?? {}).location?.host;
}
