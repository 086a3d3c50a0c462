import { Button, FileButton, Input } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { download } from '../../../../api/index.ts';
import { useText } from '../../../../text/index.ts';
import classes from '../../styles/shared.module.css';
import { binaryText } from '../../values/cell-value.tsx';
import type { Draft } from '../../values/values.ts';
import { detectFileKind, maxFileBytes, toBase64, toBytes } from './bytes.ts';
import ownClasses from './inputs.module.css';

/** Milliseconds until the URL of the downloaded bytes is revoked. */
const urlLifetime = 60_000;

interface BinaryInputProps {
  id: string;
  describedBy: string;
  /** The field's name, for its buttons and for a file made of it. */
  name: string;
  value: Draft;
  onChange: (base64: string) => void;
  isLocked: boolean;
}

/** Bytes: their number and kind, a download, and an upload that replaces them. */
export function BinaryInput({ id, describedBy, name, value, onChange, isLocked }: BinaryInputProps) {
  const t = useText('data');
  const [problem, setProblem] = useState<string | null>(null);
  const reset = useRef<() => void>(null);
  const hasBytes = typeof value === 'string';
  const kind = hasBytes ? detectFileKind(value) : null;

  const save = () => {
    if (!hasBytes) return;
    const address = URL.createObjectURL(new Blob([toBytes(value)]));
    download(address, `${name}.${kind?.extension ?? 'bin'}`);
    // Not at once: the browser reads the URL after the click.
    setTimeout(() => URL.revokeObjectURL(address), urlLifetime);
  };
  const upload = async (file: File | null) => {
    if (!file) return;
    reset.current?.();
    if (file.size > maxFileBytes) return setProblem(t('file.tooLarge', { size: t('megabytes', { size: 7 }) }));
    try {
      onChange(toBase64(new Uint8Array(await file.arrayBuffer())));
      setProblem(null);
    } catch {
      setProblem(t('file.unreadable'));
    }
  };

  return (
    <>
      <div className={ownClasses.binary} id={id}>
        <span className={ownClasses.binaryWords}>
          {hasBytes
            ? `${binaryText(value)}${kind ? ` · ${kind.name}` : ''}`
            : value === null
              ? t('null')
              : t('file.none')}
        </span>
        {hasBytes && value !== '' ? (
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconDownload className={classes.tinyIcon} aria-hidden />}
            aria-label={t('file.downloadOf', { field: name })}
            onClick={save}
          >
            {t('file.download')}
          </Button>
        ) : null}
        {isLocked ? null : (
          <FileButton
            resetRef={reset}
            onChange={(file) => void upload(file)}
            inputProps={{ 'aria-label': t('file.uploadOf', { field: name }) }}
          >
            {(props) => (
              <Button
                {...props}
                variant="default"
                size="compact-xs"
                leftSection={<IconUpload className={classes.tinyIcon} aria-hidden />}
                aria-label={t('file.uploadOf', { field: name })}
                aria-describedby={describedBy}
              >
                {t('file.upload')}
              </Button>
            )}
          </FileButton>
        )}
      </div>
      {problem ? <Input.Error role="alert">{problem}</Input.Error> : null}
    </>
  );
}
