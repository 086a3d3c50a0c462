import { Text } from '@mantine/core';
import { IconFolder } from '@tabler/icons-react';
import { Link } from 'react-router';
import { serviceCardsClasses } from '../../database/index.ts';
import { useText } from '../../text/index.ts';
import { Page } from '../../ui/index.ts';
import type { FileAddress } from './address.ts';
import classes from './file-manager.module.css';

/** The folders a person may see, where the root is none of them. */
export function StartFolders({
  label,
  roots,
  address,
}: {
  label: string;
  roots: readonly string[];
  address: FileAddress;
}) {
  const t = useText('files');
  return (
    <Page title={label}>
      <section className={serviceCardsClasses.choose} aria-label={t('start.title')}>
        <Text className={classes.soft!}>{t('start.text')}</Text>
        <ul className={serviceCardsClasses.services}>
          {roots.map((root) => (
            <li key={root}>
              <Link to={address.to({ folder: root })} className={serviceCardsClasses.service}>
                <IconFolder className={classes.icon} aria-hidden stroke={1.6} />
                <span className={serviceCardsClasses.serviceWords}>
                  <strong>{root}</strong>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </Page>
  );
}
