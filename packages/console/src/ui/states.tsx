import { Button, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCloudOff,
  IconFilterOff,
  IconLock,
  IconMoodEmpty,
  type IconProps,
} from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { useText } from '../text/index.ts';
import { motion } from '../theme/tokens.ts';
import { CopyButton } from './copy-button.tsx';
import { describeError } from './describe-error.ts';
import { ServiceConfigLink } from './service-config-link.tsx';
import classes from './states.module.css';

interface StateProps {
  icon: ComponentType<IconProps>;
  title: string;
  children?: ReactNode;
  /** `alert` is read out at once, `status` when there is time. */
  role?: 'alert' | 'status';
  tone?: 'calm' | 'danger';
}

const State = ({ icon: Icon, title, children, role, tone = 'calm' }: StateProps) => (
  <div className={classes.state} role={role}>
    <span className={classes.icon} data-tone={tone}>
      <Icon aria-hidden stroke={1.5} />
    </span>
    <Title order={2} size="h3">
      {title}
    </Title>
    {children}
  </div>
);

/** True once something has lasted long enough to be worth showing. */
const useDelay = (milliseconds: number): boolean => {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return isOver;
};

interface LoadingProps {
  /** The real layout's shape: a list's rows (default), a form's fields, or cards. */
  shape?: 'rows' | 'form' | 'cards';
  /** How many rows, fields or cards. */
  count?: number;
  /** A skeleton of one's own instead. */
  children?: ReactNode;
}

/** A skeleton in the shape of what is coming; nothing for the first 150 ms. */
export const Loading = ({ shape = 'rows', count, children }: LoadingProps) => {
  const t = useText('common');
  const isShown = useDelay(motion.skeletonDelay);
  if (!isShown) return <div className={classes.waiting} aria-busy />;
  const indexes = Array.from({ length: count ?? { rows: 8, form: 5, cards: 6 }[shape] }, (_, index) => index);
  return (
    <div role="status" aria-label={t('loading')} aria-busy className={classes.loading} data-shape={shape}>
      {children ?? indexes.map((index) => <Skeleton key={index} className={classes[shape]!} />)}
    </div>
  );
};

interface EmptyProps {
  title: string;
  /** One sentence: what this is. */
  text?: ReactNode;
  /** The button that makes the first one. */
  action?: ReactNode;
  icon?: ComponentType<IconProps>;
}

/** Nothing here yet. */
export const Empty = ({ title, text, action, icon = IconMoodEmpty }: EmptyProps) => (
  <State icon={icon} title={title}>
    {text && <Text className={classes.text}>{text}</Text>}
    {action}
  </State>
);

/** A filter that nothing matches. */
export const NoMatch = ({ onClear, title, text }: { onClear: () => void; title?: string; text?: string }) => {
  const t = useText('common');
  return (
    <State icon={IconFilterOff} title={title ?? t('noMatch.title')} role="status">
      <Text className={classes.text}>{text ?? t('noMatch.text')}</Text>
      <Button variant="default" onClick={onClear}>
        {t('noMatch.clear')}
      </Button>
    </State>
  );
};

interface FailedProps {
  /** An `ApiError`, any other error, or a sentence. An unreachable server shows as Offline. */
  error: unknown;
  onRetry?: (() => void) | undefined;
  title?: string;
}

/** Something could not be loaded: what, why, try again, and the request id to copy. */
export const Failed = ({ error, onRetry, title }: FailedProps) => {
  const t = useText('common');
  const { messages, requestId, status } = describeError(error);
  if (status === 0) return <Offline onRetry={onRetry} />;
  return (
    <State
      icon={IconAlertTriangle}
      title={title ?? t(status === 404 ? 'failed.notFoundTitle' : 'failed.title')}
      role="alert"
      tone="danger"
    >
      <Stack gap="xs" className={classes.text}>
        {messages.map((message) => (
          <Text key={message}>{message}</Text>
        ))}
      </Stack>
      <Group justify="center" gap="xs">
        {onRetry && (
          <Button variant="default" onClick={onRetry}>
            {t('retry')}
          </Button>
        )}
        <ServiceConfigLink error={error} />
      </Group>
      {requestId && <RequestId id={requestId} />}
    </State>
  );
};

/** The id one quotes when asking for help. */
export const RequestId = ({ id }: { id: string }) => {
  const t = useText('common');
  return (
    <Group gap="xs" className={classes.request}>
      <Text size="xs" c="dimmed">
        {t('requestId')}
      </Text>
      <Code>{id}</Code>
      <CopyButton value={id} thing={t('requestIdThing')} />
    </Group>
  );
};

/** Which permission is missing. */
export const NotAllowed = ({ text, action }: { text?: ReactNode; action?: ReactNode }) => {
  const t = useText('common');
  return (
    <State icon={IconLock} title={t('notAllowed.title')} role="alert">
      <Text className={classes.text}>{text ?? t('notAllowed.text')}</Text>
      {action}
    </State>
  );
};

/** The server does not answer. */
export const Offline = ({ onRetry }: { onRetry?: (() => void) | undefined }) => {
  const t = useText('common');
  return (
    <State icon={IconCloudOff} title={t('offline.title')} role="alert">
      <Text className={classes.text}>{t('offline.text')}</Text>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
    </State>
  );
};
