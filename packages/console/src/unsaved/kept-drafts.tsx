import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useText } from '../text/index.ts';
import { useStore } from '../ui/index.ts';
import { draftChanges, listDrafts, openForms } from './drafts.ts';
import classes from './unsaved.module.css';

/** So many are named; the others are offered by their forms. */
const maxNamed = 5;

/** After a sign-in: what is kept of before, with a link to each form, which offers it. What is typed now is not listed. */
export function KeptDrafts({ owner }: { owner: number | string }) {
  const t = useText('unsaved');
  const [atSignIn] = useState(() => listDrafts(owner));
  const [isHidden, setHidden] = useState(false);
  const changes = useStore(draftChanges);
  const open = useStore(openForms);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when a draft changes
  const left = useMemo(() => {
    const stored = new Map(listDrafts(owner).map(({ form, at }) => [form, at]));
    return atSignIn.filter(({ form, at }) => stored.get(form) === at);
  }, [atSignIn, owner, changes]);
  const elsewhere = left.filter(({ form, address }) => address !== '' && !open.includes(form)).slice(0, maxNamed);
  if (isHidden || elsewhere.length === 0) return null;
  return (
    <div className={classes.kept} role="status">
      <span>{t('kept')}</span>
      {elsewhere.map(({ form, title, address }) => (
        <Link key={form} to={address}>
          {title}
        </Link>
      ))}
      <ActionIcon size="sm" className={classes.hide ?? ''} aria-label={t('dismiss')} onClick={() => setHidden(true)}>
        <IconX className={classes.icon} aria-hidden />
      </ActionIcon>
    </div>
  );
}
