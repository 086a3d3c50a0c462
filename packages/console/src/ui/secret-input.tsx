import { Button, Group, PasswordInput, type PasswordInputProps, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../text/index.ts';
import { CopyButton } from './copy-button.tsx';

/** What the server sends in place of a stored secret; sent back, it means unchanged. */
const mask = '**********';

interface SecretInputProps extends Omit<PasswordInputProps, 'value' | 'onChange'> {
  value: string;
  onChange: (value: string) => void;
  /** Shows a button that copies what was typed (keys that were just made). */
  withCopy?: boolean;
}

/** A secret: what is stored is never shown, only replaced; what is typed can be looked at. */
export const SecretInput = ({ value, onChange, withCopy, ...input }: SecretInputProps) => {
  const t = useText('common');
  const [wasStored, setWasStored] = useState(value === mask);
  if (value === mask) {
    const {
      visibilityToggleButtonProps: _toggle,
      visible: _visible,
      onVisibilityChange: _change,
      visibilityToggleIcon: _icon,
      ...plain
    } = input;
    return (
      <TextInput
        {...(plain as object)}
        value={mask}
        readOnly
        description={input.description ?? t('secretKept')}
        rightSectionWidth="auto"
        rightSection={
          !input.disabled && !input.readOnly ? (
            <Button
              variant="subtle"
              size="compact-xs"
              mr="xs"
              onClick={() => {
                setWasStored(true);
                onChange('');
              }}
            >
              {t('secretReplace')}
            </Button>
          ) : null
        }
      />
    );
  }
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <PasswordInput
        autoComplete="new-password"
        flex={1}
        {...input}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': t('showSecret'), tabIndex: 0 }}
      />
      {withCopy && value && (
        <CopyButton value={value} {...(typeof input.label === 'string' && { thing: input.label })} />
      )}
      {wasStored && (
        <Button variant="subtle" onClick={() => onChange(mask)}>
          {t('secretKeep')}
        </Button>
      )}
    </Group>
  );
};
