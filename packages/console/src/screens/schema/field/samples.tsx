// Some of what a field holds, read once its editor is open.
import { type FieldDescription, parameterName } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { ApiError, api } from '../../../api/index.ts';
import { useText } from '../../../text/index.ts';
import type { SchemaTable } from '../address/sources.ts';
import classes from './field.module.css';

interface SamplesProps {
  service: string;
  table: SchemaTable;
  field: FieldDescription;
}

const maxRecords = 50;
const maxValues = 6;
/** Letters of a value under the pointer. */
const maxTitle = 500;

/** Bytes say nothing, an aggregate is of all records, and without a function a virtual field has no value. */
const canSample = ({ type, is_virtual, is_aggregate, db_function }: FieldDescription): boolean =>
  type !== 'binary' && !is_aggregate && (!is_virtual || db_function !== null);

export function Samples({ service, table, field }: SamplesProps) {
  const t = useText('schema');
  const tableName = table.alias ?? table.name;
  const fieldName = field.alias ?? field.name;
  const { data, error } = useQuery({
    queryKey: ['data', service, 'samples', tableName, fieldName],
    queryFn: async ({ signal }) => {
      const path = `${encodeURIComponent(service)}/_table/${encodeURIComponent(tableName)}`;
      const query = { fields: parameterName(fieldName), limit: maxRecords };
      const { resource } = await api.get<{ resource: Record<string, unknown>[] }>(path, { query, signal });
      return resource.map((record) => record[fieldName] ?? null);
    },
    enabled: canSample(field),
    retry: false,
  });
  const isRefused = error instanceof ApiError && (error.status === 401 || error.status === 403);
  if (isRefused || (!data && !error)) return null;
  return (
    <section className={classes.aside} aria-label={t('field.samples')}>
      <h3 className={classes.asideTitle}>{t('field.samples')}</h3>
      {!data ? (
        <p className={classes.help}>{t('field.samplesFailed')}</p>
      ) : data.length === 0 ? (
        <p className={classes.help}>{t('field.noSamples')}</p>
      ) : (
        <Values values={data} />
      )}
    </section>
  );
}

function Values({ values }: { values: unknown[] }) {
  const t = useText('schema');
  const present = values.filter((value) => value !== null);
  const distinct = [...new Set(present.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))))];
  const shown = distinct.slice(0, maxValues);
  const facts = [
    values.length > present.length ? t('field.nulls', { count: values.length - present.length }) : '',
    distinct.length > shown.length ? t('field.samplesMore', { count: distinct.length - shown.length }) : '',
  ].filter(Boolean);
  return (
    <>
      <p className={classes.help}>{t('field.samplesOf', { count: values.length })}</p>
      {shown.length > 0 ? (
        <ul className={classes.samples}>
          {shown.map((value) => (
            <li key={value} title={value.slice(0, maxTitle)}>
              {value === '' ? <em>{t('field.emptySample')}</em> : value}
            </li>
          ))}
        </ul>
      ) : null}
      {facts.length > 0 ? <p className={classes.help}>{facts.join(' · ')}</p> : null}
    </>
  );
}
