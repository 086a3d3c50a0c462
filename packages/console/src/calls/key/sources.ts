// What the dialog reads: services and tables to choose from, and the names that are taken.
import { isInGroup } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/index.ts';
import { findRecords } from '../../list/index.ts';

const maxAge = 60_000;
/** Names like the proposed one that are looked at. */
const maxNames = 200;

export interface KeyService {
  id: number;
  name: string;
  label: string;
  hasTables: boolean;
}

interface ServiceList {
  services: { id: number; name: string; label: string; type: string }[];
  service_types: { name: string; group: string }[];
}

/** The services a key can be for: those that hold data, databases first (contract/system-resources.md §4). */
export const useKeyServices = () =>
  useQuery({
    queryKey: ['calls', 'services'],
    queryFn: ({ signal }) => api.get<ServiceList>('', { signal }),
    select: ({ services, service_types }): KeyService[] => {
      const types = new Map(service_types.map((type) => [type.name, type]));
      const list = services.flatMap(({ id, name, label, type: typeName }) => {
        const type = types.get(typeName);
        const hasTables = type !== undefined && isInGroup(type, 'Database');
        return hasTables || (type && isInGroup(type, 'File')) ? [{ id, name, label: label || name, hasTables }] : [];
      });
      return list.sort((a, b) => Number(b.hasTables) - Number(a.hasTables) || a.label.localeCompare(b.label));
    },
    staleTime: maxAge,
  });

/** Names of apps and roles that have these words; those one may not read are not there. */
export const useTakenNames = (words: string) =>
  useQuery({
    queryKey: ['system', 'app', 'names like', words],
    queryFn: async ({ signal }) => {
      const options = { fields: 'name', search: ['name'], limit: maxNames, signal };
      const lists = await Promise.all(
        ['app', 'role'].map((resource) => findRecords<{ name: string }>(resource, words, options)),
      );
      return lists.flatMap((list) => (list ?? []).map(({ name }) => name));
    },
    retry: false,
  });
