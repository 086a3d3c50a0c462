import { IconBook } from '@tabler/icons-react';
import { useDeferredValue } from 'react';
import { Link } from 'react-router';
import { useAddress } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { Empty, Failed, Loading, NoMatch, Page, SearchInput } from '../../ui/index.ts';
import { addressOf } from './address.ts';
import classes from './apidocs.module.css';
import { ClientButton } from './client-button.tsx';
import { useDocumented } from './sources.ts';

/** The services that have something to offer. */
export function ServiceList({ base }: { base: string }) {
  const t = useText('apidocs');
  const { data, error, refetch } = useDocumented();
  const [address, change] = useAddress();
  const search = address.get('search') ?? '';
  const words = useDeferredValue(search.toLowerCase());
  const setSearch = (text: string) =>
    change(() => new URLSearchParams(text ? { search: text } : {}), { replace: true });
  const shown = data?.filter((name) => name.toLowerCase().includes(words)) ?? [];
  return (
    <Page title={t('title')} count={data?.length} actions={data && data.length > 0 ? <ClientButton /> : undefined}>
      <p className={classes.hint}>{t('hint')}</p>
      {!data ? (
        error ? (
          <Failed error={error} title={t('failed')} onRetry={() => void refetch()} />
        ) : (
          <Loading shape="rows" />
        )
      ) : data.length === 0 ? (
        <Empty icon={IconBook} title={t('none')} text={t('noneHint')} />
      ) : (
        <section className={classes.panel} aria-label={t('services')}>
          <div className={classes.bar}>
            <SearchInput label={t('findService')} value={search} onChange={setSearch} />
          </div>
          {shown.length === 0 ? <NoMatch onClear={() => setSearch('')} /> : null}
          <ul className={classes.list}>
            {shown.map((name) => (
              <li key={name}>
                <Link to={addressOf(base, name)} className={classes.row}>
                  <code>{name}</code>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Page>
  );
}
