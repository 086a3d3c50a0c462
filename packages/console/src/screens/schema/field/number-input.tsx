import { TextInput } from '@mantine/core';
import classes from './field.module.css';

interface NumberInputProps {
  label: string;
  value: number | null;
  onChange: (value: number | null) => void;
  error?: string | undefined;
  disabled?: boolean;
}

/** A whole number that may be empty. */
export const NumberInput = ({ label, value, onChange, error, disabled }: NumberInputProps) => (
  <TextInput
    label={label}
    value={value ?? ''}
    onChange={(event) => {
      const digits = event.currentTarget.value.replace(/\D/g, '').slice(0, 10);
      onChange(digits === '' ? null : Number(digits));
    }}
    error={error}
    disabled={disabled}
    inputMode="numeric"
    autoComplete="off"
    classNames={{ input: classes.mono! }}
  />
);
