import { useHasScreen } from '../../../frame/screen-list.ts';
import { systemService } from './sources.ts';

/** Addresses on the Schema screen, where tables are made and altered. Names are those of the API: an alias where there is one. */
export interface SchemaAddress {
  newTable: string;
  table: (table: string) => string;
  field: (table: string, field: string) => string;
}

/** Null where there is no such screen, and for the platform's own tables. */
export function useSchemaAddress(service: string): SchemaAddress | null {
  const hasScreen = useHasScreen();
  if (service === systemService || !hasScreen('/schema')) return null;
  const home = `/schema/${encodeURIComponent(service)}`;
  const table = (name: string) => `${home}/${encodeURIComponent(name)}`;
  return {
    newTable: `${home}?make=table`,
    table,
    field: (name, field) => `${table(name)}/field/${encodeURIComponent(field)}`,
  };
}
