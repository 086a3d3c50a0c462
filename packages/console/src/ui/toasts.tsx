import { ActionIcon, Portal, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useText } from '../text/index.ts';
import { motion } from '../theme/tokens.ts';
import { closeToast, type Notice, useNotices } from './notify.ts';
import classes from './toasts.module.css';

const icons = { success: IconCheck, error: IconAlertTriangle, info: IconInfoCircle };

const Toast = ({ notice }: { notice: Notice }) => {
  const t = useText('common');
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => closeToast(notice.id), motion.toast);
    return () => clearTimeout(timer);
  }, [isHeld, notice.id]);
  const Icon = icons[notice.kind];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only keeps the message from leaving; the button does the rest.
    <div
      className={classes.toast}
      data-kind={notice.kind}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon className={classes.icon} aria-hidden />
      <div className={classes.words} role={notice.kind === 'error' ? 'alert' : 'status'}>
        {notice.title && <Text fw={600}>{notice.title}</Text>}
        {notice.messages.map((message) => (
          <Text key={message} className={classes.message}>
            {message}
          </Text>
        ))}
      </div>
      <ActionIcon size="sm" aria-label={t('notices.closeToast')} onClick={() => closeToast(notice.id)}>
        <IconX className={classes.icon} aria-hidden />
      </ActionIcon>
    </div>
  );
};

/** Where toasts appear; once, around everything. */
export const Toasts = () => {
  const t = useText('common');
  const { toasts } = useNotices();
  return (
    <Portal>
      <section className={classes.toasts} aria-label={t('notices.title')} aria-live="polite">
        {toasts.map((notice) => (
          <Toast key={notice.id} notice={notice} />
        ))}
      </section>
    </Portal>
  );
};
