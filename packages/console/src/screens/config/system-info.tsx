import { Text, Title } from '@mantine/core';
import type { Environment } from '@sluice/contract';
import { useMemo } from 'react';
import { useText } from '../../text/index.ts';
import { CopyButton, HeadRow } from '../../ui/index.ts';
import classes from './config.module.css';
import { type Fact, factsOf } from './facts.ts';
import type { LoadedSection } from './sections.ts';

/** What the instance runs on, to read and to copy (CFG-006). */
export function SystemInfoTab({ section }: { section: LoadedSection }) {
  const t = useText('config');
  const common = useText('common');
  const factGroups = useMemo(() => factsOf(section.query.data as Environment), [section.query.data]);
  const labelOf = ({ label }: Fact) => (typeof label === 'string' ? t(`system.${label}`) : label.name);
  const valueTextOf = ({ value }: Fact) => (typeof value === 'boolean' ? common(value ? 'yes' : 'no') : value);
  const allFacts = factGroups
    .map(({ name, facts, failure }) =>
      [
        t(`system.parts.${name}`),
        ...(failure === undefined ? [] : [`  ${t('system.packagesFailed', { reason: failure })}`]),
        ...facts.map((fact) => `  ${labelOf(fact)}: ${valueTextOf(fact)}`),
      ].join('\n'),
    )
    .join('\n\n');
  return (
    <div className={classes.info}>
      <HeadRow kind="text" actions={<CopyButton value={allFacts} label={t('system.copyAll')} />}>
        <Text c="var(--s-text-soft)" className={classes.hint}>
          {t('system.hint')}
        </Text>
      </HeadRow>
      {factGroups.map(({ name, facts, failure }) => (
        <section key={name} className={classes.part} aria-label={t(`system.parts.${name}`)}>
          <Title order={2}>{t(`system.parts.${name}`)}</Title>
          {failure === undefined ? null : <Text>{t('system.packagesFailed', { reason: failure })}</Text>}
          <dl className={classes.facts}>
            {facts.map((fact) => (
              <div key={labelOf(fact)} className={classes.fact}>
                <dt>{labelOf(fact)}</dt>
                <dd>
                  <span className={classes.value}>{valueTextOf(fact)}</span>
                  <CopyButton value={valueTextOf(fact)} thing={labelOf(fact)} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
