import { Anchor, Button, Text } from '@mantine/core';
import { IconArrowUpRight } from '@tabler/icons-react';
import { useEnvironment, useSession } from '../../../api/index.ts';
import { useText } from '../../../text/index.ts';
import classes from '../apps.module.css';
import { sdkLabel } from '../sdk-names.ts';

interface SamplesProps {
  /** The address that is chosen now. */
  address: string;
  disabled: boolean;
  onSelect: (address: string) => void;
}

/** The sample apps whose addresses an operator set (APP-030, APP-031); administrators read how, where there are none. */
export function Samples({ address, disabled, onSelect }: SamplesProps) {
  const t = useText('apps');
  const { sample_apps: samples = [] } = useEnvironment();
  const isAdmin = useSession()?.is_sys_admin === true;
  if (samples.length === 0)
    return isAdmin ? (
      <Text size="sm" c="var(--s-text-soft)">
        {t('import.noSamples')}
      </Text>
    ) : null;
  return (
    <ul className={classes.samples} aria-label={t('sampleApps')}>
      {samples.map(({ name, package_url, repository_url }) => {
        const label = t('import.sample', { sdk: sdkLabel(name) });
        return (
          <li key={name}>
            <span className={classes.sampleName}>{label}</span>
            <Anchor
              href={repository_url}
              target="_blank"
              rel="noopener noreferrer"
              size="sm"
              aria-label={t('import.repositoryOf', { name: label })}
            >
              {t('import.repository')}
              <IconArrowUpRight className={classes.linkIcon} aria-hidden />
            </Anchor>
            <Button
              variant="default"
              size="xs"
              disabled={disabled}
              aria-pressed={address === package_url}
              aria-label={t('import.selectOf', { name: label })}
              onClick={() => onSelect(package_url)}
            >
              {t(address === package_url ? 'import.selected' : 'import.select')}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
