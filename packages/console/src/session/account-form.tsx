import { Alert, Button, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/errors.ts';
import { describeError } from '../ui/describe-error.ts';
import { leadToError } from '../ui/lead-to-error.ts';
import { Waiting } from '../ui/waiting.tsx';
import classes from './login-form.module.css';

interface AccountFormProps<Values extends Record<string, string>> {
  form: UseFormReturnType<Values>;
  submitLabel: string;
  /** Throws where it is refused. */
  send: (values: Values) => Promise<void>;
  /** What to say of a refusal, where it is not what the server said. */
  describe?: (error: unknown) => string;
  /** Where to go on from a refusal. */
  wayOn?: (error: unknown) => ReactNode;
  /** The fields. */
  children: ReactNode;
}

const fieldMessagesOf = (error: unknown) => (error instanceof ApiError ? error.fieldMessages() : {});

/** A form about an account of somebody who is not signed in: says what the server refused, above it and beside the fields. */
export function AccountForm<Values extends Record<string, string>>(props: AccountFormProps<Values>) {
  const { form, submitLabel, send, describe, wayOn, children } = props;
  const [isWaiting, setWaiting] = useState(false);
  const [refusal, setRefusal] = useState<{ error: unknown } | null>(null);
  const element = useRef<HTMLFormElement>(null);
  const lead = () => leadToError(() => element.current);
  // Once what was refused is drawn: the fields are inert until then.
  useEffect(() => {
    if (!refusal) return;
    if (Object.keys(fieldMessagesOf(refusal.error)).length > 0) return leadToError(() => element.current);
    element.current?.querySelector<HTMLInputElement>('input:not([readonly])')?.focus();
  }, [refusal]);
  const submit = form.onSubmit(async (values) => {
    setWaiting(true);
    setRefusal(null);
    try {
      await send(values);
    } catch (error) {
      for (const [name, messages] of Object.entries(fieldMessagesOf(error)))
        form.setFieldError(name, messages.join(' '));
      setRefusal({ error });
    } finally {
      setWaiting(false);
    }
  }, lead);
  // What was refused about fields goes with the last of their errors.
  const isAboutFields = refusal !== null && Object.keys(fieldMessagesOf(refusal.error)).length > 0;
  const isMended = isAboutFields && Object.keys(form.errors).length === 0;
  return (
    <Waiting isWaiting={isWaiting}>
      <form ref={element} onSubmit={submit} noValidate>
        <Stack gap="md">
          {refusal && !isMended && (
            <Alert color="red" role="alert" className={classes.problem!}>
              {describe?.(refusal.error) ?? describeError(refusal.error).messages.join('\n')}
              {wayOn?.(refusal.error)}
            </Alert>
          )}
          {children}
          <Button type="submit" fullWidth>
            {submitLabel}
          </Button>
        </Stack>
      </form>
    </Waiting>
  );
}
