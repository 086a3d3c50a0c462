import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useText } from '../text/index.ts';
import { type ConfirmQuestion, question } from './confirm.ts';
import classes from './confirm-dialog.module.css';
import { useStore } from './store.ts';

/** Where `confirm()` asks; once, around everything. */
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
  const answer = (isYes: boolean) => {
    question.set(null);
    open?.answer(isYes);
  };
  const isReady = !shown?.typeToConfirm || typed === shown.typeToConfirm;
  return (
    <Modal
      // Closed at first, even for the first question: only a dialog that opens notes where the focus was.
      opened={open !== null && shown !== null}
      onClose={() => answer(false)}
      title={shown?.title ?? t('confirm.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
      size={shown?.details ? 'lg' : 'sm'}
    >
      {shown && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            event.stopPropagation();
            if (isReady) answer(true);
          }}
        >
          <Stack gap="sm">
            <Text className={classes.message}>{shown.message}</Text>
            {shown.impact && (
              <Text className={classes.impact} data-danger={shown.danger || undefined}>
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
            <Group justify="flex-end" gap="xs" mt="xs">
              <Button variant="default" onClick={() => answer(false)} data-autofocus={shown.danger || undefined}>
                {shown.cancelLabel ?? t('cancel')}
              </Button>
              <Button
                type="submit"
                color={shown.danger ? 'red' : undefined}
                disabled={!isReady}
                data-autofocus={(!shown.danger && !shown.typeToConfirm) || undefined}
              >
                {shown.confirmLabel ?? (shown.danger ? t('delete') : t('ok'))}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
};
