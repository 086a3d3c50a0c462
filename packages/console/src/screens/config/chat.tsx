import { Button, Checkbox, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/index.ts';
import { isChatOn } from '../../frame/live-chat.tsx';
import { resourceKey } from '../../list/index.ts';
import { text, useText } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';
import { useUnsavedGuard } from '../../unsaved/index.ts';
import classes from './config.module.css';
import type { LoadedSection } from './sections.ts';

const name = 'chat';

/** Whether administrators have the live chat (CFG-048…053). */
export function ChatTab({ section }: { section: LoadedSection }) {
  const t = useText('config');
  const client = useQueryClient();
  const { resource } = section.query.data as { resource: { name: string; value: unknown }[] };
  const setting = resource.find((entry) => entry.name === name);
  const stored = isChatOn(resource);
  const [isOn, setOn] = useState(stored);
  const [isSaving, setSaving] = useState(false);
  const save = async (): Promise<boolean> => {
    setSaving(true);
    try {
      const body = { resource: [{ name, value: isOn }] };
      await (setting ? api.put('system/custom', { body }) : api.post('system/custom', { body }));
      notify.success(t('chat.saved'), t('title'));
      return true;
    } catch (error) {
      notify.error(t('title'), error);
      return false;
    } finally {
      setSaving(false);
      await client.invalidateQueries({ queryKey: resourceKey('custom') });
    }
  };
  useUnsavedGuard({
    isDirty: isOn !== stored,
    isLostBetween: (from, to) => isOn !== stored && from.pathname !== to.pathname,
    question: () => ({ message: text('editor:leave') }),
    save,
    discard: () => setOn(stored),
  });
  return (
    <form
      className={classes.info}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <section className={classes.part} aria-label={t('tabs.chat')}>
        <Title order={2}>{t('tabs.chat')}</Title>
        <Text c="var(--s-text-soft)" className={classes.hint}>
          {t('chat.hint')}
        </Text>
        <Checkbox label={t('chat.enable')} checked={isOn} onChange={(event) => setOn(event.currentTarget.checked)} />
        <div>
          <Button type="submit" loading={isSaving}>
            {t('chat.save')}
          </Button>
        </div>
      </section>
    </form>
  );
}
