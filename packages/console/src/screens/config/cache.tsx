import { ActionIcon, Button, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { currentLanguage, useText } from '../../text/index.ts';
import { IdText, SearchInput } from '../../ui/index.ts';
import classes from './config.module.css';
import { flushCache } from './flush.ts';
import type { LoadedSection } from './sections.ts';

/** One cache of a service (CFG-009); servers may leave the label out. */
interface CacheEntry {
  name: string;
  label: string;
  type?: string;
}

/** From so many services on, there is a search input. */
const minEntriesToSearch = 12;

/** Flushing the cache, of everything or of one service (CFG-007, CFG-008, OPEN-075). */
export function CacheTab({ section }: { section: LoadedSection }) {
  const t = useText('config');
  const [searchText, setSearchText] = useState('');
  const [busy, setBusy] = useState<string | null>(null);
  const entries = useMemo(() => entriesOf(section.query.data), [section.query.data]);
  const lowerCaseSearch = searchText.trim().toLocaleLowerCase();
  const shown = entries.filter(({ name, label }) => `${label} ${name}`.toLocaleLowerCase().includes(lowerCaseSearch));
  const run = async (entry?: CacheEntry) => {
    setBusy(entry?.name ?? '');
    await flushCache(entry);
    setBusy(null);
  };
  return (
    <div className={classes.info}>
      <section className={classes.part} aria-label={t('cache.all')}>
        <Title order={2}>{t('cache.all')}</Title>
        <Text c="var(--s-text-soft)" className={classes.hint}>
          {t('cache.allHint')}
        </Text>
        <div>
          <Button
            leftSection={<IconRefresh className={classes.icon} aria-hidden />}
            loading={busy === ''}
            disabled={busy !== null && busy !== ''}
            onClick={() => void run()}
          >
            {t('cache.flushAll')}
          </Button>
        </div>
      </section>
      <section className={classes.part} aria-label={t('cache.services')}>
        <Title order={2}>{t('cache.services')}</Title>
        <Text c="var(--s-text-soft)" className={classes.hint}>
          {t('cache.servicesHint')}
        </Text>
        {entries.length === 0 ? <Text>{t('cache.none')}</Text> : null}
        {entries.length < minEntriesToSearch ? null : (
          <SearchInput
            className={classes.find ?? ''}
            label={t('cache.find')}
            value={searchText}
            onChange={setSearchText}
          />
        )}
        {entries.length > 0 && shown.length === 0 ? (
          <Text role="status">{t('cache.noMatch', { text: searchText.trim() })}</Text>
        ) : null}
        {shown.length === 0 ? null : (
          <ul className={classes.caches} aria-label={t('cache.services')}>
            {shown.map((entry) => (
              <li key={entry.name} className={classes.cache}>
                <span className={classes.cacheName}>{entry.label}</span>
                <span className={classes.soft}>
                  <IdText>{entry.name}</IdText>
                </span>
                <span className={classes.soft}>{entry.type}</span>
                <ActionIcon
                  aria-label={t('cache.flush', { label: entry.label })}
                  title={t('cache.flush', { label: entry.label })}
                  loading={busy === entry.name}
                  disabled={busy !== null && busy !== entry.name}
                  onClick={() => void run(entry)}
                >
                  <IconRefresh className={classes.icon} aria-hidden />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

/** Sorted by what people read (OPEN-075). */
function entriesOf(data: unknown): CacheEntry[] {
  const rows = (data as { resource?: Partial<CacheEntry>[] } | null)?.resource ?? [];
  const entries = rows.flatMap(({ name, label, type }) =>
    name ? [{ name, label: label || name, ...(type ? { type } : {}) }] : [],
  );
  return entries.sort((a, b) => a.label.localeCompare(b.label, currentLanguage(), { sensitivity: 'base' }));
}
