import { useMemo } from 'react';
import { type Schema, useDatabaseServices } from '../address/sources.ts';
import { type ReferenceTarget, referenceTargetOf } from './target.ts';

/** What the fields of a table refer to, by name of the field. */
export function useReferenceTargets(service: string, schema: Schema): ReadonlyMap<string, ReferenceTarget> {
  const { data: services } = useDatabaseServices();
  return useMemo(
    () =>
      new Map(
        schema.field.flatMap((field) => {
          const target = referenceTargetOf(field, schema, service, services ?? []);
          return target ? [[field.name, target] as const] : [];
        }),
      ),
    [service, schema, services],
  );
}
