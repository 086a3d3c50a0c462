import { chain, fail, type MaybePromise } from '@sluice/contract';
import type { Call, Reply } from '../call/call.ts';
import { listServices } from '../service/list.ts';
import type { Platform } from './platform.ts';

/** Hands the call to the service it addresses, opened on first use. */
export function handle(call: Call, platform: Platform): MaybePromise<Reply> {
  if (call.service === '') {
    if (call.path !== '') throw fail('service.unknown', { service: '' });
    if (call.verb !== 'GET')
      throw fail('http.verbNotSupported', { verb: call.verb, path: '', service: 'api' }, { allow: ['GET', 'HEAD'] });
    return listServices(call, platform.services);
  }
  return chain(platform.services.open(call.service), (service) => service.handle(call));
}
