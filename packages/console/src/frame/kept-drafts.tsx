import { Anchor, Button, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useText } from '../text/index.ts';
import { DateText } from '../ui/date-text.tsx';
import { discardDraft, titleText, type useKeptDrafts } from '../unsaved/index.ts';
import classes from './notices-tray.module.css';

interface KeptDraftsProps {
  owner: number | string;
  drafts: ReturnType<typeof useKeptDrafts>;
  onFollow: () => void;
}

/** What was typed and not saved, each with the way to its form, which offers it. */
export const KeptDrafts = ({ owner, drafts, onFollow }: KeptDraftsProps) => {
  const t = useText('unsaved');
  return (
    <ul className={classes.list} aria-label={t('kept')}>
      {drafts.map(({ form, title, address, at }) => {
        const name = titleText(title);
        return (
          <li key={form} className={classes.notice} data-draft>
            <div className={classes.words}>
              <Anchor component={Link} to={address} size="sm" fw={600} className={classes.message!} onClick={onFollow}>
                {name}
              </Anchor>
              <Text size="xs" c="dimmed" component="div">
                <DateText value={new Date(at).toISOString()} />
              </Text>
            </div>
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={t('discardOne', { form: name })}
              onClick={() => discardDraft({ owner, form })}
            >
              {t('discard')}
            </Button>
          </li>
        );
      })}
    </ul>
  );
};
