import { IconArrowUpRight } from '@tabler/icons-react';
import { useConsoleSettings, useEnvironment } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import { helpLinks } from './help-links.ts';
import classes from './home.module.css';

/** Links to help outside, where an operator set any (HOM-001…004). */
export const Help = () => {
  const t = useText('home');
  const { home_links } = useEnvironment();
  const { links } = useConsoleSettings();
  const shown = helpLinks(home_links, links, (name) => t(`tabs.${name}`));
  if (shown.length === 0) return null;
  return (
    <nav className={classes.help} aria-label={t('help')}>
      {shown.map(({ name, label, href }) => (
        <a key={name} href={href} target="_blank" rel="noopener noreferrer" className={classes.helpLink}>
          {label}
          <IconArrowUpRight aria-hidden className={classes.icon} />
        </a>
      ))}
    </nav>
  );
};
