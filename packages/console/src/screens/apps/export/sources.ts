import { isInGroup } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/index.ts';

interface ServiceList {
  services?: { name: string; label: string; type: string }[];
  service_types?: { name: string; group: string }[];
}

export interface ExportService {
  name: string;
  label: string;
  hasTables: boolean;
}

/** Those every instance has. */
const ownTypes = ['system', 'user', 'swagger'];

/** The services that a package can bring, and the databases among them. */
export const useExportServices = () =>
  useQuery({
    queryKey: ['apps', 'export', 'services'],
    queryFn: ({ signal }) => api.get<ServiceList>('', { signal }),
    select: ({ services = [], service_types = [] }): ExportService[] => {
      const databaseTypes = new Set(
        service_types.filter((type) => isInGroup(type, 'Database')).map(({ name }) => name),
      );
      return services
        .filter(({ type }) => !ownTypes.includes(type))
        .map(({ name, label, type }) => ({ name, label: label || name, hasTables: databaseTypes.has(type) }))
        .sort((a, b) => a.label.localeCompare(b.label));
    },
    staleTime: 60_000,
  });
