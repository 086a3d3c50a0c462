import { Modal } from '@mantine/core';
import { useText } from '../text/index.ts';
import classes from './shortcut-list.module.css';
import { isMac } from './shortcuts.ts';

const command = isMac() ? '⌘' : 'Ctrl';

const rows = [
  ['palette', [command, 'K']],
  ['filter', ['/']],
  ['save', [command, 'S']],
  ['escape', ['Esc']],
  ['move', ['↑', '↓']],
  ['open', ['Enter']],
  ['openRecord', [command, 'Enter']],
  ['help', ['?']],
] as const;

/** What `?` shows. */
export const ShortcutList = ({ onClose }: { onClose: () => void }) => {
  const t = useText('frame');
  const common = useText('common');
  return (
    <Modal opened onClose={onClose} title={t('shortcuts.title')} closeButtonProps={{ 'aria-label': common('close') }}>
      <dl className={classes.list}>
        {rows.map(([name, keys]) => (
          <div key={name} className={classes.row}>
            <dt>{t(`shortcuts.${name}`)}</dt>
            <dd className={classes.keys}>
              {keys.map((key) => (
                <kbd key={key} className={classes.key}>
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
};
