import { Button } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, IconDeviceFloppy, IconTrash, IconX } from '@tabler/icons-react';
import { useText } from '../../../text/index.ts';
import classes from '../styles/shared.module.css';
import type { TableState } from '../table/use-table.ts';
import { Tool } from './tool.tsx';
import ownClasses from './toolbar.module.css';

/** What can be done with selected and with unsaved records. It is below the rows, so that they do not move when it appears. */
export function ActionBar({ state }: { state: TableState }) {
  const t = useText('data');
  const { selection, pendingCounts, isBusy } = state;
  const selected = selection.ids.size;
  const canUndoOrRedo = state.canUndo || state.canRedo;
  if (selected === 0 && pendingCounts.records === 0 && !canUndoOrRedo) return null;
  return (
    <div className={ownClasses.acting}>
      {selected > 0 ? (
        <>
          <strong role="status">{t('selected', { count: selected })}</strong>
          <Button
            variant="default"
            size="xs"
            className={classes.danger!}
            leftSection={<IconTrash className={classes.smallIcon} aria-hidden />}
            loading={isBusy}
            onClick={() => void state.deleteSelected()}
          >
            {t('delete')}
          </Button>
          <Tool label={t('clearSelection')} icon={IconX} onClick={state.clearSelection} />
        </>
      ) : null}
      {pendingCounts.records > 0 ? (
        <>
          <strong role="status" className={ownClasses.unsavedCount}>
            {t('unsaved', { count: pendingCounts.records })}
          </strong>
          <span className={classes.soft}>{t('grid.changedCells', { count: pendingCounts.cells })}</span>
          {pendingCounts.invalid > 0 ? (
            <Button
              variant="subtle"
              size="compact-sm"
              className={classes.danger!}
              title={t('grid.toWrong')}
              onClick={state.leadToNextWrong}
            >
              {t('grid.wrongCells', { count: pendingCounts.invalid })}
            </Button>
          ) : null}
          <Button
            size="xs"
            leftSection={<IconDeviceFloppy className={classes.smallIcon} aria-hidden />}
            loading={isBusy}
            onClick={() => void state.saveAll()}
          >
            {t('save')}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconArrowBackUp className={classes.smallIcon} aria-hidden />}
            disabled={isBusy}
            onClick={state.revertAll}
          >
            {t('revert')}
          </Button>
        </>
      ) : null}
      {canUndoOrRedo ? (
        <>
          <Tool
            label={t('grid.undo')}
            icon={IconArrowBackUp}
            disabled={!state.canUndo}
            aria-keyshortcuts="Meta+Z Control+Z"
            onClick={state.undo}
          />
          <Tool
            label={t('grid.redo')}
            icon={IconArrowForwardUp}
            disabled={!state.canRedo}
            aria-keyshortcuts="Meta+Shift+Z Control+Shift+Z"
            onClick={state.redo}
          />
        </>
      ) : null}
    </div>
  );
}
