import { Button, Text } from '@mantine/core';
import { useText } from '../text/index.ts';
import classes from './unsaved.module.css';

interface DraftNoticeProps {
  /** Someone saved the record since. */
  isOld?: boolean;
  restore: () => void;
  discard: () => void;
}

/** Offers what was typed earlier, in the form it belongs to. */
export function DraftNotice({ isOld = false, restore, discard }: DraftNoticeProps) {
  const t = useText('unsaved');
  return (
    <div className={classes.draft} role="status">
      <Text size="sm">{t(isOld ? 'stale' : 'found')}</Text>
      <Button size="xs" variant="default" onClick={restore}>
        {t('restore')}
      </Button>
      <Button size="xs" variant="subtle" onClick={discard}>
        {t('discard')}
      </Button>
    </div>
  );
}
