// A call that a new key may make, and that shows something. Pure.
import { encodeSegment } from '../code/call.ts';
import type { KeyForm } from './key-form.ts';

export interface CallableService {
  id: number;
  name: string;
  hasTables: boolean;
}

/** What one would like to call first: the database connected last. */
export const newestDatabase = <S extends CallableService>(services: readonly S[]): S | undefined =>
  services.filter(({ hasTables }) => hasTables).sort((a, b) => b.id - a.id)[0];

/** How many records it asks for. */
const limit = '10';

interface FirstCall {
  /** Below `/api/v2`, encoded; empty for the list of services. */
  path: string;
  query: Record<string, string>;
}

export function firstCallWith(
  { scope, service, table, tables }: Pick<KeyForm, 'scope' | 'service' | 'table' | 'tables'>,
  services: readonly CallableService[],
): FirstCall {
  const first = scope === 'table' ? table : scope === 'tables' ? tables[0] : undefined;
  if (service && first) return { path: `${encodeSegment(service)}/_table/${encodeSegment(first)}`, query: { limit } };
  const target = scope === 'service' ? services.find(({ name }) => name === service) : newestDatabase(services);
  if (target?.hasTables) return { path: `${encodeSegment(target.name)}/_table`, query: {} };
  return { path: scope === 'service' && service ? encodeSegment(service) : '', query: {} };
}
