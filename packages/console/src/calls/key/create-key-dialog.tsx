// "Create API key": a question, then the key with a call that works. It stands once, outside of the pages.

import { Modal } from '@mantine/core';
import type { ApiKeyAnswer } from '@sluice/contract';
import { QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { queryClient, useSession } from '../../api/index.ts';
import { resourceKey } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { useStore } from '../../ui/index.ts';
import { CreateKeyForm } from './create-key-form.tsx';
import type { KeyForm } from './key-form.ts';
import { MadeKey } from './made-key.tsx';
import { closeCreateKey, keyRequest } from './requests.ts';

interface CreateKeyDialogProps {
  /** To another page: the dialog lies above them. */
  navigate: (to: string) => void;
}

export const CreateKeyDialog = (props: CreateKeyDialogProps) => (
  <QueryClientProvider client={queryClient}>
    <Dialog {...props} />
  </QueryClientProvider>
);

function Dialog({ navigate }: CreateKeyDialogProps) {
  const t = useText('calls');
  const common = useText('common');
  const client = useQueryClient();
  const open = useStore(keyRequest);
  const [shown, setShown] = useState<typeof open>(null);
  const [made, setMade] = useState<{ key: ApiKeyAnswer; form: KeyForm } | null>(null);
  useEffect(() => {
    if (!open) return;
    // What was shown stays while the dialog fades out.
    setShown(open);
    setMade(null);
  }, [open]);
  const person = useSession()?.id;
  const owner = useRef(person);
  useEffect(() => {
    if (owner.current === person) return;
    // A key is not shown to the next person.
    owner.current = person;
    closeCreateKey();
    setShown(null);
    setMade(null);
  }, [person]);
  const close = () => closeCreateKey(made?.key);
  const leaveTo = (address: string) => {
    close();
    navigate(address);
  };
  const onMade = (key: ApiKeyAnswer, form: KeyForm) => {
    setMade({ key, form });
    for (const resource of ['app', 'role', 'limit']) void client.invalidateQueries({ queryKey: resourceKey(resource) });
  };
  return (
    <Modal
      // Closed at first: only a dialog that opens notes where the focus was.
      opened={open !== null && shown !== null}
      onClose={close}
      title={made ? t('key.madeTitle', { name: made.key.name }) : t('key.create')}
      closeButtonProps={{ 'aria-label': common('close') }}
      size="lg"
      // Above a drawer that it was opened from.
      zIndex="calc(var(--mantine-z-index-modal) + 1)"
    >
      {made ? (
        <MadeKey made={made.key} form={made.form} onClose={close} leaveTo={leaveTo} />
      ) : shown ? (
        <CreateKeyForm preset={shown} onCancel={close} onMade={onMade} leaveTo={leaveTo} />
      ) : null}
    </Modal>
  );
}
