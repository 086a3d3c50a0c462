import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconFileExport } from '@tabler/icons-react';
import { useText } from '../text/index.ts';
import { notify } from '../ui/index.ts';
import { exportRecords } from './export-records.ts';
import type { Id } from './selection.ts';
import { type TransferFormat, transferFormats } from './transfer.ts';

interface ExportMenuProps {
  resource: string;
  path: string;
  /** Of these rows only; of all when absent. */
  ids?: readonly Id[];
  size?: 'xs' | 'sm';
}

/** Downloads records as a file of one of three formats (PPL-042, OPEN-098). */
export function ExportMenu({ resource, path, ids, size = 'sm' }: ExportMenuProps) {
  const t = useText('list');
  const exportAs = async (format: TransferFormat) => {
    try {
      await exportRecords(path, resource, format, { ids });
    } catch (error) {
      notify.error('', error);
    }
  };
  return (
    <FormatMenu
      label={t('export.button')}
      formats={transferFormats}
      hints={{ csv: t('export.csvHint') }}
      size={size}
      onChoose={(format) => void exportAs(format)}
    />
  );
}

interface FormatMenuProps<F extends string> {
  label: string;
  formats: readonly F[];
  /** Shown for a format on hover. */
  hints?: Partial<Record<F, string>>;
  size?: 'xs' | 'sm';
  onChoose: (format: F) => void;
}

/** A button that asks for the format of a file. */
export const FormatMenu = <F extends string>({ label, formats, hints, size = 'sm', onChoose }: FormatMenuProps<F>) => (
  <Menu position="bottom-end" withinPortal={false} floatingStrategy="fixed">
    <Menu.Target>
      <Button
        variant="default"
        size={size}
        leftSection={<IconFileExport size="1.1em" aria-hidden />}
        rightSection={<IconChevronDown size="1em" aria-hidden />}
      >
        {label}
      </Button>
    </Menu.Target>
    <Menu.Dropdown aria-label={label}>
      {formats.map((format) => (
        <Menu.Item key={format} onClick={() => onChoose(format)} title={hints?.[format]}>
          {format.toUpperCase()}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);
