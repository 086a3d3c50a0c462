// What the Services screen reads besides the services themselves (SVC-034).
import type { ServiceTypeRecord } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, useEnvironment } from '../../api/index.ts';
import { translateType, useText } from '../../text/index.ts';
import { licenceOf, type OfferedType, offeredTypes } from './types.ts';

/** The types on offer; `error` when the server did not tell them (C-SVC-03, C-SVC-04). */
export function useServiceTypes(): {
  types: readonly OfferedType[] | undefined;
  error: Error | null;
  retry: () => void;
} {
  const t = useText('services');
  const licence = licenceOf(useEnvironment()?.platform?.license);
  const query = useQuery({
    queryKey: ['system', 'service_type', 'list'],
    queryFn: ({ signal }) => api.get<{ resource: ServiceTypeRecord[] }>('system/service_type', { signal }),
    staleTime: 60_000,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language, other words
  const types = useMemo(
    () => query.data && offeredTypes(query.data.resource, licence).map(translateType),
    [query.data, licence, t],
  );
  return { types, error: query.error, retry: () => void query.refetch() };
}

/** The words of the permission message (OPEN-066). */
export const permissionTexts = { resources: 'system/service and system/service_type', things: 'services' };
export const serviceRelations = 'service_doc_by_service_id';
