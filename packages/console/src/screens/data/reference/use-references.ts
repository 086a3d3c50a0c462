import { useMemo } from 'react';
import { type Schema, useDatabaseServices } from '../address/sources.ts';
import { type References, referencesOf } from './target.ts';

/** What the fields of a table refer to. */
export function useReferences(service: string, schema: Schema): References {
  const { data: services } = useDatabaseServices();
  return useMemo(() => referencesOf(schema, service, services ?? []), [service, schema, services]);
}
