import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { describeError, RequestId } from '../ui/index.ts';
import classes from './packages.module.css';

/** Why a server did not take a package in, or gave none, in place and until the next try. */
export function PackageRefused({ title, error }: { title: string; error: unknown }) {
  const { messages, requestId } = describeError(error);
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert" title={title}>
      {messages.map((message) => (
        <Text key={message} size="sm" className={classes.reason!}>
          {message}
        </Text>
      ))}
      {requestId ? <RequestId id={requestId} /> : null}
    </Alert>
  );
}
