// The choice of a service and a table, as Data words it.
import { PhonePicker, TablePicker } from '../../../database/index.ts';
import { useText } from '../../../text/index.ts';
import { tableAddress } from '../address/grid-state.ts';
import { type DatabaseService, useTables } from '../address/sources.ts';

interface PickerProps {
  services: DatabaseService[];
  service: string;
  table: string;
}

const addressOf = (service: string, table?: string): string =>
  table === undefined ? `/data/${encodeURIComponent(service)}` : tableAddress(service, table);

const usePicker = ({ services, service, table }: PickerProps) => {
  const t = useText('data');
  const labels = {
    service: t('selectService'),
    noService: t('serviceBlank'),
    table: t('selectTable'),
    noTable: t('tableBlank'),
  };
  return { services, service, table, tables: useTables(service), labels, addressOf };
};

export const DataPicker = (props: PickerProps) => <TablePicker {...usePicker(props)} />;
export const DataPhonePicker = (props: PickerProps) => <PhonePicker {...usePicker(props)} />;
