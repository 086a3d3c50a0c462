import { SegmentedControl } from '@mantine/core';
import { useDeferredValue, useMemo } from 'react';
import { Link } from 'react-router';
import { useAddress } from '../../list/index.ts';
import { formatNumber, operationText, useText } from '../../text/index.ts';
import { Empty, NoMatch, SearchInput } from '../../ui/index.ts';
import { addressOf } from './address.ts';
import classes from './apidocs.module.css';
import { ClientButton } from './client-button.tsx';
import { byPath, findOperations, type OpenApiDocument, readOperations } from './document.ts';
import { GraphqlButton } from './graphql-button.tsx';
import { type PageOfService, Shell, Verb } from './shell.tsx';

/** Rows that are drawn at once; a search finds the others. */
const maxRows = 200;

/** The operations and schemas of a service: `?show=schemas&search=…`. */
export function ServicePage({ base, service }: PageOfService) {
  const t = useText('apidocs');
  return (
    <Shell
      service={service}
      title={service}
      back={{ to: base, label: t('services') }}
      actions={
        <>
          <GraphqlButton service={service} />
          <ClientButton service={service} />
        </>
      }
    >
      {(document) => <Contents base={base} service={service} document={document} />}
    </Shell>
  );
}

function Contents({ base, service, document }: Omit<PageOfService, 'name'> & { document: OpenApiDocument }) {
  const t = useText('apidocs');
  const [address, change] = useAddress();
  const isSchemas = address.get('show') === 'schemas';
  const search = address.get('search') ?? '';
  const set = (name: string, value: string) =>
    change(
      (params) => {
        const next = new URLSearchParams(params);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const operations = useMemo(() => readOperations(document), [document]);
  const schemas = useMemo(() => Object.keys(document.components?.schemas ?? {}), [document]);
  return (
    <>
      {document.info?.description ? <p className={classes.hint}>{document.info.description}</p> : null}
      <section className={classes.panel} aria-label={service}>
        <div className={classes.bar}>
          <SearchInput
            label={isSchemas ? t('findSchema') : t('findCall')}
            value={search}
            onChange={(text) => set('search', text)}
          />
          <SegmentedControl
            aria-label={t('show')}
            value={isSchemas ? 'schemas' : 'calls'}
            onChange={(value) => set('show', value === 'schemas' ? value : '')}
            data={[
              { value: 'calls', label: `${t('calls')} (${formatNumber(operations.length)})` },
              { value: 'schemas', label: `${t('schemas')} (${formatNumber(schemas.length)})` },
            ]}
          />
        </div>
        {isSchemas ? (
          <Rows clear={() => set('search', '')} search={search} rows={schemas.filter((name) => has(name, search))}>
            {(name) => (
              <Link to={addressOf(base, service, 'schema', name)} className={classes.row}>
                <code>{name}</code>
              </Link>
            )}
          </Rows>
        ) : (
          <Calls
            base={base}
            service={service}
            search={search}
            operations={operations}
            clear={() => set('search', '')}
          />
        )}
      </section>
    </>
  );
}

const has = (name: string, search: string) => name.toLowerCase().includes(search.trim().toLowerCase());

interface CallsProps extends Omit<PageOfService, 'name'> {
  search: string;
  operations: ReturnType<typeof readOperations>;
  clear: () => void;
}

function Calls({ base, service, search, operations, clear }: CallsProps) {
  const words = useDeferredValue(search);
  const paths = useMemo(() => byPath(findOperations(operations, words, operationText)), [operations, words]);
  return (
    <Rows clear={clear} search={search} rows={paths}>
      {([path, list]) => (
        <div className={classes.path}>
          <code className={classes.pathText}>{path}</code>
          <ul className={classes.verbs}>
            {list.map(({ id, verb, summary }) => (
              <li key={id}>
                <Link to={addressOf(base, service, 'call', id)} className={classes.call}>
                  <Verb verb={verb} />
                  <span>{operationText(summary)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Rows>
  );
}

interface RowsProps<T> {
  rows: readonly T[];
  search: string;
  clear: () => void;
  children: (row: T) => React.ReactNode;
}

function Rows<T extends string | [string, unknown]>({ rows, search, clear, children }: RowsProps<T>) {
  const t = useText('apidocs');
  if (rows.length === 0)
    return search ? <NoMatch onClear={clear} /> : <Empty title={t('nothing')} text={t('nothingHint')} />;
  return (
    <>
      <ul className={classes.list}>
        {rows.slice(0, maxRows).map((row) => (
          <li key={typeof row === 'string' ? row : row[0]}>{children(row)}</li>
        ))}
      </ul>
      {rows.length > maxRows ? <p className={classes.more}>{t('more', { count: rows.length - maxRows })}</p> : null}
    </>
  );
}
