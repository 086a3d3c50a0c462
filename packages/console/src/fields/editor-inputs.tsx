// Plain inputs of an editor: each edits one field of the form around it.
import { TextInput as MantineTextInput, NumberInput, Select, Switch, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useField } from '../editor/index.ts';
import { dropDown, SecretInput as MaskedInput } from '../ui/index.ts';
import classes from './inputs/fields.module.css';

interface InputProps {
  name: string;
  label: string;
  description?: ReactNode;
  required?: boolean;
  maxLength?: number;
  placeholder?: string;
}

const words = ({ label, description, required, placeholder }: InputProps) => ({
  label,
  description,
  required: required ?? false,
  ...(placeholder ? { placeholder } : {}),
});

export function TextInput(props: InputProps & { mono?: boolean; autoFocus?: boolean }) {
  const { value, onChange, error, disabled } = useField<string | null>(props.name);
  return (
    <MantineTextInput
      {...words(props)}
      name={props.name}
      error={error}
      disabled={disabled}
      maxLength={props.maxLength}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(props.mono ? { classNames: { input: classes.mono ?? '' } } : {})}
      data-autofocus={props.autoFocus || undefined}
      spellCheck={!props.mono}
      autoComplete="off"
    />
  );
}

export function TextAreaInput(props: InputProps) {
  const { value, onChange, error, disabled } = useField<string | null>(props.name);
  return (
    <Textarea
      {...words(props)}
      name={props.name}
      error={error}
      disabled={disabled}
      maxLength={props.maxLength}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      autosize
      minRows={2}
      maxRows={8}
    />
  );
}

export function IntegerInput(props: InputProps & { min?: number; max?: number }) {
  const { value, onChange, error, disabled } = useField<number | null>(props.name);
  return (
    <NumberInput
      {...words(props)}
      name={props.name}
      error={error}
      disabled={disabled}
      value={value ?? ''}
      onChange={(number) => onChange(number === '' ? null : Number(number))}
      allowDecimal={false}
      min={props.min}
      max={props.max}
    />
  );
}

export function SwitchInput(props: InputProps) {
  const { value, onChange, error, disabled } = useField<boolean | null>(props.name);
  return (
    <Switch
      label={props.label}
      description={props.description}
      name={props.name}
      error={error}
      disabled={disabled}
      checked={Boolean(value)}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

export function SecretInput(props: InputProps) {
  const { value, onChange, error, disabled } = useField<string | null>(props.name);
  return (
    <MaskedInput
      {...words(props)}
      name={props.name}
      error={error}
      disabled={disabled}
      value={value ?? ''}
      onChange={onChange}
    />
  );
}

export function SelectInput(props: InputProps & { options: { value: string; label: string }[] }) {
  const { value, onChange, error, disabled } = useField<string | null>(props.name);
  return (
    <Select
      {...dropDown}
      {...words(props)}
      name={props.name}
      error={error}
      disabled={disabled}
      data={props.options}
      value={value}
      onChange={onChange}
      clearable={!props.required}
    />
  );
}
