import { Alert, Button, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { formatNumber, joinList, useText } from '../../text/index.ts';
import { type Companion, hasPeople, missingCompanions } from './companions.ts';
import { addItems, type ContentRow } from './content.ts';
import classes from './package-manager.module.css';
import { type Loaded, useRoleServices } from './sources.ts';

/** So many companions are listed, and so many that name one; the others are counted. */
const maxListed = 8;
const maxNamed = 3;

interface CompanionsNoticeProps {
  loaded: Loaded;
  rows: readonly ContentRow[];
  onChange: (rows: readonly ContentRow[]) => void;
}

/** What the content names and does not have: the import would leave out what names it. */
export function CompanionsNotice({ loaded, rows, onChange }: CompanionsNoticeProps) {
  const t = useText('packages');
  const { places, apps, serviceNames } = loaded;
  const hasRoles = rows.some(({ kind, name }) => kind === 'system' && name === 'role');
  const roles = useRoleServices(hasRoles, serviceNames);
  const missing = missingCompanions(rows, places, { roles, apps, serviceNames });
  if (missing.length === 0 && !hasPeople(rows)) return null;
  const addMissing = () =>
    onChange(
      missing.reduce(
        (rows, { resource, name }) => addItems(rows, { kind: 'system', name: resource }, [name]),
        [...rows],
      ),
    );
  return (
    <Alert variant="light" icon={<IconInfoCircle aria-hidden />} role="note" title={t('companions.title')}>
      {missing.length > 0 ? (
        <>
          <Text size="sm">{t('companions.text')}</Text>
          <ul className={classes.companions}>
            {missing.slice(0, maxListed).map((companion) => (
              <li key={`${companion.resource} ${companion.name}`}>{describeCompanion(companion, t)}</li>
            ))}
            {missing.length > maxListed ? (
              <li>
                {t('companions.more', {
                  count: missing.length - maxListed,
                  number: formatNumber(missing.length - maxListed),
                })}
              </li>
            ) : null}
          </ul>
          <Button size="xs" variant="default" onClick={addMissing}>
            {t('companions.add')}
          </Button>
        </>
      ) : null}
      {hasPeople(rows) ? <Text size="sm">{t('companions.people')}</Text> : null}
    </Alert>
  );
}

function describeCompanion({ resource, name, neededBy }: Companion, t: ReturnType<typeof useText<'packages'>>): string {
  const others = neededBy.length - maxNamed;
  const named = neededBy.slice(0, maxNamed).map(({ kind, name }) => t(`companions.by.${kind}`, { name }));
  return t(`companions.${resource}`, {
    name,
    by: joinList(others > 0 ? [...named, t('companions.others', { count: others })] : named),
  });
}
