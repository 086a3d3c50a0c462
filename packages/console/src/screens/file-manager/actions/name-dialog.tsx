import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { nameProblem, splitName } from '../../../files/index.ts';
import { useText } from '../../../text/index.ts';
import { describeError } from '../../../ui/index.ts';

interface NameDialogProps {
  title: string;
  label: string;
  /** The name it begins with. */
  name: string;
  actionLabel: string;
  hint?: string | undefined;
  /** Names of the folder, so that one which is taken is found before it is sent. */
  taken: readonly string[];
  /** Does it; what it throws stands beside the name. */
  onSave: (name: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the name of a file or folder. */
export function NameDialog({ title, label, name, actionLabel, hint, taken, onSave, onClose }: NameDialogProps) {
  const t = useText('files');
  const common = useText('common');
  const [typed, setTyped] = useState(name);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const hadFocus = useRef(false);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = nameProblem(typed);
    if (wrong) return setProblem(t(wrong));
    if (typed === name && name !== '') return onClose();
    if (taken.includes(typed)) return setProblem(t('name.taken', { name: typed }));
    setBusy(true);
    try {
      await onSave(typed);
      onClose();
    } catch (error) {
      setProblem(describeError(error).messages.join(' '));
      setBusy(false);
      input.current?.focus();
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} size="sm" closeButtonProps={{ 'aria-label': common('close') }}>
      <form onSubmit={(event) => void save(event)} noValidate>
        <Stack gap="sm">
          <TextInput
            ref={input}
            label={label}
            description={hint}
            value={typed}
            error={problem}
            data-autofocus
            autoComplete="off"
            spellCheck={false}
            onFocus={({ currentTarget }) => {
              // The ending stays, unless one wants to change it.
              if (!hadFocus.current) currentTarget.setSelectionRange(0, splitName(name)[0].length);
              hadFocus.current = true;
            }}
            onChange={(event) => {
              setProblem(null);
              setTyped(event.currentTarget.value);
            }}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {common('cancel')}
            </Button>
            <Button type="submit" loading={isBusy}>
              {actionLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
