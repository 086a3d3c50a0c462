import { useMemo } from 'react';
import { type Schema, useDatabaseServices } from '../place/sources.ts';
import { type Target, targetOf } from './target.ts';

/** What the fields of a table refer to, by name of the field. */
export function useTargets(service: string, schema: Schema): ReadonlyMap<string, Target> {
  const { data: services } = useDatabaseServices();
  return useMemo(
    () =>
      new Map(
        schema.field.flatMap((field) => {
          const target = targetOf(field, schema, service, services ?? []);
          return target ? [[field.name, target] as const] : [];
        }),
      ),
    [service, schema, services],
  );
}
