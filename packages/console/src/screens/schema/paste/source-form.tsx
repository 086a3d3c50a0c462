import { Alert, Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle, IconFileUpload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { formatNumber, useText } from '../../../text/index.ts';
import { useFileDrop } from '../../../ui/index.ts';
import classes from './paste.module.css';

/** The largest file, in bytes, and the longest text, in characters. */
const maxSize = 20 * 1024 * 1024;

interface SourceFormProps {
  text: string;
  isReading: boolean;
  onText: (text: string) => void;
  onRead: (text: string) => void;
  onFile: (file: File) => void;
  onCancel: () => void;
}

/** Where data is pasted, dropped or chosen. What is pasted into the empty field is read at once. */
export function SourceForm({ text, isReading, onText, onRead, onFile, onCancel }: SourceFormProps) {
  const t = useText('schema');
  const [problem, setProblem] = useState<string | null>(null);
  const resetFile = useRef<() => void>(null);
  const check = (name: string, size: number): boolean => {
    const isFine = size <= maxSize;
    setProblem(isFine ? null : t('paste.tooLarge', { name, size: `${formatNumber(maxSize / 1024 / 1024)} MB` }));
    return isFine;
  };
  const takeFile = (file: File | null | undefined) => {
    if (file && check(file.name, file.size)) onFile(file);
  };
  const readText = (pasted: string) => {
    if (check(t('paste.pasted'), pasted.length)) onRead(pasted);
  };
  const drop = useFileDrop(takeFile);
  return (
    <Stack gap="md">
      <Text c="var(--s-text-soft)">{t('paste.intro')}</Text>
      {problem ? (
        <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle aria-hidden />}>
          {problem}
        </Alert>
      ) : null}
      <div className={classes.source} {...drop}>
        <Textarea
          label={t('paste.data')}
          description={t('paste.dataText')}
          minRows={10}
          maxRows={20}
          autosize
          spellCheck={false}
          classNames={{ input: classes.data! }}
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text');
            if (text !== '' || pasted.trim() === '') return;
            // A long text would stall the field.
            event.preventDefault();
            readText(pasted);
          }}
        />
      </div>
      <Group gap="xs">
        <Button disabled={text.trim() === ''} loading={isReading} onClick={() => readText(text)}>
          {t('paste.read')}
        </Button>
        <FileButton
          onChange={(file) => {
            // The same file can be chosen again once it was mended.
            resetFile.current?.();
            takeFile(file);
          }}
          resetRef={resetFile}
          accept=".csv,.tsv,.txt,.json,.ndjson,.jsonl"
          inputProps={{ 'aria-label': t('paste.chooseFile') }}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconFileUpload size="1.1em" aria-hidden />}>
              {t('paste.chooseFile')}
            </Button>
          )}
        </FileButton>
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </Group>
    </Stack>
  );
}
