// What stands around a table that is edited: its name, the ways to see it, and the bar that saves.
import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, type Ref, useEffect, useRef } from 'react';
import { useText } from '../../../text/index.ts';
import { describeError, Page } from '../../../ui/index.ts';
import type { TableView } from '../address/addresses.ts';
import classes from './table.module.css';
import { ViewSwitch } from './view-switch.tsx';

interface TableFrameProps {
  title: string;
  view: TableView;
  views: readonly TableView[];
  onView: (view: TableView) => void;
  actions?: ReactNode;
  /** The buttons of the bar after Save. */
  buttons: ReactNode;
  isDirty: boolean;
  isSaving: boolean;
  canSave: boolean;
  onSave: () => void;
  /** ⌘Enter: saves it and goes on with the next. */
  onSaveAnother?: () => void;
  /** Why the last save was refused. */
  failure: unknown;
  /** What saving would do; stands above the buttons. */
  plan: ReactNode;
  /** The frame itself, to look for inputs in. */
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

export function TableFrame(props: TableFrameProps) {
  const { title, view, views, isDirty, isSaving, canSave, onSave, failure } = props;
  const t = useText('schema');
  useSaveKeys(onSave, props.onSaveAnother);
  return (
    <div ref={props.ref}>
      <Page
        title={title}
        actions={
          <>
            <ViewSwitch view={view} views={views} onView={props.onView} />
            {props.actions}
          </>
        }
      >
        <form
          className={classes.form}
          noValidate
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            onSave();
          }}
        >
          {failure ? (
            <Alert
              color="red"
              variant="light"
              icon={<IconAlertTriangle aria-hidden />}
              title={t('table.notSaved')}
              role="alert"
            >
              {describeError(failure).messages.map((message) => (
                <Text key={message} size="sm" className={classes.message}>
                  {message}
                </Text>
              ))}
            </Alert>
          ) : null}
          <div className={classes.parts}>{props.children}</div>
          <div className={classes.foot}>
            {props.plan}
            <div className={classes.bar}>
              {canSave ? (
                <Button type="submit" loading={isSaving} disabled={!isDirty} aria-keyshortcuts="Meta+S Control+S">
                  {t('save')}
                </Button>
              ) : null}
              {props.buttons}
              <Text size="sm" className={classes.unsaved} role="status">
                {canSave ? (isDirty ? t('table.unsaved') : '') : t('table.readOnly')}
              </Text>
            </div>
          </div>
        </form>
      </Page>
    </div>
  );
}

/** ⌘S saves the table, ⌘Enter goes on with another; unless a pane or a dialog is open: that saves itself. */
function useSaveKeys(onSave: () => void, onSaveAnother: (() => void) | undefined): void {
  const latest = useRef({ onSave, onSaveAnother });
  latest.current = { onSave, onSaveAnother };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.altKey) return;
      const { onSave: save, onSaveAnother: saveAnother } = latest.current;
      const isSave = event.key.toLowerCase() === 's';
      const act = isSave ? save : event.key === 'Enter' ? saveAnother : undefined;
      const isInDialog = document.querySelector('[role="dialog"]') !== null;
      if (!act || (isInDialog && !isSave)) return;
      event.preventDefault();
      if (isInDialog) return;
      event.stopPropagation();
      act();
    };
    // Before the input that has the focus: Enter is a key of its own there.
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, []);
}
