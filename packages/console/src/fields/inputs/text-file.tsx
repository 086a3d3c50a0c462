import { Button, FileButton, Group, Text } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useText } from '../../text/index.ts';
import { isAccepted } from './script-files.ts';

/** The largest text file an editor takes in. */
const maxFileSize = 1024 * 1024;

interface TextFileProps {
  label: string;
  /** Accepted endings, with their dots; any file when left out. */
  accepted?: readonly string[];
  disabled?: boolean;
  onText: (text: string, fileName: string) => void;
}

/** Reads a text file chosen from this device, after checking its ending and size; says beside the button what is wrong. */
export function TextFile({ label, accepted, disabled, onText }: TextFileProps) {
  const t = useText('fields');
  const [error, setError] = useState<string | null>(null);
  const reset = useRef<() => void>(null);

  const read = async (file: File | null) => {
    if (!file) return;
    reset.current?.();
    if (accepted && !isAccepted(file.name, accepted)) {
      return setError(t('file.wrong', { formats: accepted.map((ending) => ending.slice(1)).join(', ') }));
    }
    if (file.size > maxFileSize) return setError(t('file.tooLarge', { size: '1 MiB' }));
    try {
      const text = await file.text();
      setError(null);
      onText(text, file.name);
    } catch {
      setError(t('file.unreadable'));
    }
  };

  return (
    <Group gap="sm">
      <FileButton
        resetRef={reset}
        onChange={read}
        {...(accepted ? { accept: accepted.join(',') } : {})}
        inputProps={{ 'aria-label': label }}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            size="xs"
            disabled={disabled ?? false}
            leftSection={<IconFileImport size="1.1em" aria-hidden />}
          >
            {label}
          </Button>
        )}
      </FileButton>
      {error ? (
        <Text size="xs" c="var(--s-danger)" role="alert">
          {error}
        </Text>
      ) : null}
    </Group>
  );
}
