import { Button } from '@mantine/core';
import { IconFileExport } from '@tabler/icons-react';
import { useState } from 'react';
import { useText } from '../../../text/index.ts';
import classes from '../apps.module.css';
import { ExportDialog, type ExportedApp } from './export-dialog.tsx';

/** Exports the app as it is stored; what is typed in its editor is not part of the package. */
export function ExportButton({ app }: { app: ExportedApp }) {
  const t = useText('apps');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileExport className={classes.icon} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('export.open')}
      </Button>
      {isOpen ? <ExportDialog app={app} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
