import { Button, FileButton, TextInput } from '@mantine/core';
import { IconFile, IconX } from '@tabler/icons-react';
import { type RefObject, useRef } from 'react';
import { useSizeText } from '../files/index.ts';
import { useText } from '../text/index.ts';
import { useFileDrop } from '../ui/index.ts';
import { noSource, type PackageSource } from './package-source.ts';
import classes from './packages.module.css';

interface PackageInputProps {
  label: string;
  placeholder: string;
  description?: string;
  /** Endings that the choice of a file offers: `.zip`. */
  endings: readonly string[];
  source: PackageSource;
  onChange: (source: PackageSource) => void;
  error?: string | undefined;
  disabled?: boolean;
  inputRef?: RefObject<HTMLInputElement | null>;
}

/** A package: a file chosen or dropped here, whose name then stands in the input, or an address typed into it. */
export function PackageInput(props: PackageInputProps) {
  const { label, placeholder, description, endings, source, onChange, error, disabled = false, inputRef } = props;
  const t = useText('packages');
  const sizeText = useSizeText();
  const resetFile = useRef<() => void>(null);
  const choose = (file: File | null | undefined) => {
    if (file) onChange({ path: file.name, file });
    // The same file can be chosen again.
    resetFile.current?.();
  };
  const drop = useFileDrop(choose, { disabled });
  return (
    <div className={classes.drop} {...drop}>
      <div className={classes.sourceRow}>
        <TextInput
          {...(inputRef ? { ref: inputRef } : {})}
          className={classes.path!}
          label={label}
          description={description}
          placeholder={placeholder}
          value={source.path}
          error={error}
          disabled={disabled}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange({ ...source, path: event.currentTarget.value })}
        />
        <FileButton resetRef={resetFile} onChange={choose} accept={endings.join(',')} disabled={disabled}>
          {(button) => (
            <Button {...button} variant="default" disabled={disabled} className={classes.browse!}>
              {t('source.browse')}
            </Button>
          )}
        </FileButton>
      </div>
      {source.file && source.path === source.file.name ? (
        <p className={classes.file}>
          <IconFile className={classes.icon} aria-hidden />
          <span>{t('source.file', { name: source.file.name, size: sizeText(source.file.size) })}</span>
          <Button
            variant="subtle"
            size="compact-xs"
            disabled={disabled}
            leftSection={<IconX className={classes.icon} aria-hidden />}
            onClick={() => onChange(noSource)}
          >
            {t('source.remove')}
          </Button>
        </p>
      ) : null}
    </div>
  );
}
