import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useText } from '../text/index.ts';
import { type Answer, type ConfirmQuestion, question } from './confirm.ts';
import classes from './confirm-dialog.module.css';
import { useStore } from './store.ts';

/** Where `confirm()` and `ask()` ask; once, around everything. */
export const ConfirmDialog = () => {
  const t = useText('common');
  const open = useStore(question);
  const [shown, setShown] = useState<ConfirmQuestion | null>(null);
  const [typed, setTyped] = useState('');
  useEffect(() => {
    if (!open) return;
    // The words stay while the dialog fades out.
    setShown(open);
    setTyped('');
  }, [open]);
  const answer = (given: Answer) => {
    question.set(null);
    open?.answer(given);
  };
  const isReady = !shown?.typeToConfirm || typed === shown.typeToConfirm;
  const hasSave = shown?.saveLabel !== undefined;
  const confirmButton = shown && (
    <Button
      type="submit"
      color={shown.danger ? 'red' : undefined}
      {...(hasSave ? { variant: 'subtle', className: classes.aside ?? '' } : {})}
      disabled={!isReady}
      data-autofocus={(!shown.danger && !shown.typeToConfirm) || undefined}
    >
      {shown.confirmLabel ?? (shown.danger ? t('delete') : t('ok'))}
    </Button>
  );
  return (
    <Modal
      // Closed at first, even for the first question: only a dialog that opens notes where the focus was.
      opened={open !== null && shown !== null}
      onClose={() => answer('no')}
      title={shown?.message}
      classNames={{ title: classes.message ?? '' }}
      closeButtonProps={{ 'aria-label': t('close') }}
      size={shown?.details || hasSave ? 'lg' : 'sm'}
    >
      {shown && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            event.stopPropagation();
            if (isReady) answer('yes');
          }}
        >
          <Stack gap="sm">
            {shown.impact && (
              <Text className={classes.impact} data-danger={(shown.danger && !hasSave) || undefined}>
                {shown.impact}
              </Text>
            )}
            {shown.details}
            {shown.typeToConfirm && (
              <TextInput
                data-autofocus
                label={t('confirm.typeName', { name: shown.typeToConfirm })}
                value={typed}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            )}
            <Group justify="flex-end" gap="xs" mt="xs" className={hasSave ? classes.buttons! : ''}>
              {hasSave && confirmButton}
              <Button
                variant="default"
                onClick={() => answer('no')}
                data-autofocus={(shown.danger && !shown.typeToConfirm) || undefined}
              >
                {shown.cancelLabel ?? t('cancel')}
              </Button>
              {hasSave ? <Button onClick={() => answer('save')}>{shown.saveLabel}</Button> : confirmButton}
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
};
