import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../api/index.ts';
import type { OpenApiDocument } from './document.ts';

/** The services that have a document for the person. */
export const documentedQuery = queryOptions({
  queryKey: ['api_docs'],
  queryFn: async ({ signal }) =>
    (await api.get<{ resource?: string[] }>('api_docs', { query: { as_list: true }, signal })).resource ?? [],
});

export const useDocumented = () => useQuery(documentedQuery);

/** The document of a service: what the person may do there. */
export const documentQuery = (service: string) =>
  queryOptions({
    queryKey: ['api_docs', service],
    queryFn: ({ signal }) =>
      api.get<OpenApiDocument>(`api_docs/${encodeURIComponent(service)}`, { query: { openapi: '3.1' }, signal }),
  });

export const useDocument = (service: string) => useQuery(documentQuery(service));
