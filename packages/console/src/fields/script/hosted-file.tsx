// Importing a file from a code-hosting service (NAV-042, X-029…X-032): its address, and an account where it is not for everybody.
import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBrandGithub } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useEnvironment } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import { isAccepted } from '../inputs/script-files.ts';
import { type HostCredentials, HostError, isPublicRepository, parseHostedFile, readHostedFile } from './code-host.ts';

interface HostedFileProps {
  /** Accepted endings, with their dots. */
  accepted: readonly string[];
  onText: (text: string, fileName: string) => void;
}

/** The button that opens the dialog; absent where the instance names no code-hosting service. */
export function HostedFileButton({ disabled, ...props }: HostedFileProps & { disabled: boolean }) {
  const t = useText('fields');
  const [isOpen, setOpen] = useState(false);
  const host = useEnvironment()?.code_host;
  if (host === undefined) return null;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        disabled={disabled}
        leftSection={<IconBrandGithub size="1.1em" aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('host.choose')}
      </Button>
      {isOpen ? <HostedFileDialog {...props} host={host} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** Milliseconds of rest before the repository of a typed address is looked up. */
const typingPause = 400;

function HostedFileDialog({
  host,
  accepted,
  onText,
  onClose,
}: HostedFileProps & { host: string; onClose: () => void }) {
  const t = useText('fields');
  const common = useText('common');
  const [address, setAddress] = useState('');
  const [credentials, setCredentials] = useState<HostCredentials>({ user: '', password: '' });
  const [needsAccount, setNeedsAccount] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const [restingAddress] = useDebouncedValue(address, typingPause);
  useEffect(() => {
    const file = parseHostedFile(restingAddress);
    if (!file || !isAccepted(file.path, accepted)) return;
    const lookUp = new AbortController();
    isPublicRepository(host, file, lookUp.signal).then(
      (isPublic) => setNeedsAccount(!isPublic),
      (cause: unknown) => {
        if (lookUp.signal.aborted) return;
        setNeedsAccount(true);
        setError(messageOf(cause));
      },
    );
    return () => lookUp.abort();
  }, [restingAddress, accepted, host]);

  const upload = async () => {
    const file = parseHostedFile(address);
    if (!file) return setError(t('host.wrongAddress'));
    if (!isAccepted(file.path, accepted))
      return setError(t('file.wrong', { formats: accepted.map((ending) => ending.slice(1)).join(', ') }));
    running.current?.abort();
    const reading = new AbortController();
    running.current = reading;
    setBusy(true);
    setError(null);
    try {
      const account = needsAccount && credentials.user !== '' ? credentials : null;
      onText(await readHostedFile(host, file, account, reading.signal), file.path.split('/').at(-1) ?? '');
      onClose();
    } catch (cause) {
      if (reading.signal.aborted) return;
      if (cause instanceof HostError && (cause.status === 401 || cause.status === 404)) setNeedsAccount(true);
      setError(messageOf(cause));
      setBusy(false);
    }
  };

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('host.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // The form of the page around is another one.
          event.stopPropagation();
          void upload();
        }}
      >
        <Stack gap="sm">
          <TextInput
            label={t('host.address')}
            description={t('host.addressHint')}
            placeholder="https://github.com/owner/repository/blob/main/script.js"
            value={address}
            error={error}
            data-autofocus
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              setError(null);
              setAddress(event.currentTarget.value);
            }}
          />
          {needsAccount ? (
            <>
              <Text size="sm" c="var(--s-text-soft)">
                {t('host.accountHint')}
              </Text>
              <Group grow align="start">
                <TextInput
                  label={t('host.user')}
                  value={credentials.user}
                  autoComplete="off"
                  spellCheck={false}
                  onChange={({ currentTarget: { value } }) => setCredentials((now) => ({ ...now, user: value }))}
                />
                <PasswordInput
                  label={t('host.password')}
                  value={credentials.password}
                  autoComplete="off"
                  onChange={({ currentTarget: { value } }) => setCredentials((now) => ({ ...now, password: value }))}
                />
              </Group>
            </>
          ) : null}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {common('cancel')}
            </Button>
            <Button type="submit" loading={isBusy} disabled={address.trim() === ''}>
              {t('host.upload')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
