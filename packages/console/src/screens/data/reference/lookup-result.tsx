import { IconArrowUpRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ApiError } from '../../../api/index.ts';
import { useText } from '../../../text/index.ts';
import { recordPageLocation } from '../address/grid-host.ts';
import { keyOf } from '../address/grid-state.ts';
import { type Row, type Schema, systemService } from '../address/sources.ts';
import classes from '../styles/shared.module.css';
import ownClasses from './reference.module.css';
import { recordName, type TableRef } from './target.ts';
import type { Lookup } from './use-choices.ts';

/** Milliseconds after the last key before a value is looked up. */
export const lookupPause = 250;

export const isUnreadable = ({ error }: Lookup): boolean =>
  error instanceof ApiError && [403, 404].includes(error.status);

interface LookupResultProps {
  target: TableRef;
  lookup: Lookup;
  /** Whether it was looked up for what the inputs hold now: while one types, the name found would be that of an earlier value. */
  isSettled: boolean;
  /** What is said when there is no such record, and when the person may not read the table. */
  missingText: string;
  unreadableText: string;
}

/** The record a reference leads to, or why there is none. */
export function LookupResult({ target, lookup, isSettled, missingText, unreadableText }: LookupResultProps) {
  const { error, record, schema } = lookup;
  return (
    <p className={ownClasses.referred} aria-live="polite">
      {isUnreadable(lookup) ? (
        unreadableText
      ) : error ? (
        error.message
      ) : isSettled && record === null ? (
        missingText
      ) : isSettled && record && schema ? (
        <ReferencedRecord target={target} schema={schema} record={record} />
      ) : null}
    </p>
  );
}

/** The name of the record a value refers to, as a link to its page. */
function ReferencedRecord({ target, schema, record }: { target: TableRef; schema: Schema; record: Row }) {
  const t = useText('data');
  const name = recordName(schema, record);
  const key = keyOf(schema, record);
  // Records of the platform have screens of their own.
  if (!key || target.service === systemService) return name;
  return (
    <Link
      to={recordPageLocation(target.service, target.table, key)}
      className={ownClasses.link!}
      aria-label={t('reference.open', { record: name, table: schema.label || target.table })}
    >
      {name}
      <IconArrowUpRight className={classes.tinyIcon} aria-hidden />
    </Link>
  );
}
