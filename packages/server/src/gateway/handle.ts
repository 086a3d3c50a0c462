import { fail } from '@sluice/contract';
import type { Platform } from '../platform.ts';
import { listServices } from '../services/list.ts';
import type { Call, Reply } from './call.ts';

/** Hands the call to the service it addresses, opened on first use. */
export async function handle(call: Call, platform: Platform): Promise<Reply> {
  if (call.service === '') {
    if (call.path !== '') throw fail('service.unknown', { service: '' });
    if (call.verb !== 'GET') throw fail('http.verbNotSupported', { verb: call.verb, path: '', service: 'api' });
    return listServices(call, platform.services);
  }
  const service = await platform.services.open(call.service);
  return service.handle(call);
}
