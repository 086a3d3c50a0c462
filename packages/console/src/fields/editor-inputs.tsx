// Plain inputs of an editor: each edits one field of the form around it.
import { TextInput as MantineTextInput, Switch, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useField } from '../editor/index.ts';
import { labelProps } from './inputs/field.ts';
import classes from './inputs/fields.module.css';

interface EditorInputProps {
  name: string;
  label: string;
  description?: ReactNode;
  required?: boolean;
  placeholder?: string;
}

/** What an input of a text takes from the field of the form around. */
function useTextField({ placeholder, ...props }: EditorInputProps) {
  const { value, onChange, error, disabled, maxLength } = useField<string | null>(props.name);
  return {
    ...labelProps({ ...props, error, disabled }),
    ...(placeholder ? { placeholder } : {}),
    name: props.name,
    maxLength,
    value: value ?? '',
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
}

interface TextInputProps extends EditorInputProps {
  mono?: boolean;
  autoFocus?: boolean;
  /** A button at its end. */
  button?: ReactNode;
}

export function TextInput({ mono, autoFocus, button, ...props }: TextInputProps) {
  return (
    <MantineTextInput
      {...useTextField(props)}
      rightSection={button}
      {...(mono ? { classNames: { input: classes.mono ?? '' } } : {})}
      data-autofocus={autoFocus || undefined}
      spellCheck={!mono}
      autoComplete="off"
    />
  );
}

export const TextAreaInput = (props: EditorInputProps) => (
  <Textarea {...useTextField(props)} autosize minRows={2} maxRows={8} />
);

export function SwitchInput({ name, label, description }: EditorInputProps) {
  const { value, onChange, error, disabled } = useField<boolean | null>(name);
  return (
    <Switch
      label={label}
      description={description}
      name={name}
      error={error}
      disabled={disabled}
      checked={Boolean(value)}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
