import { useDebouncedValue } from '@mantine/hooks';
import { useText } from '../../../text/index.ts';
import type { Schema } from '../address/sources.ts';
import type { Draft } from '../values/values.ts';
import { LookupResult, lookupPause } from './lookup-result.tsx';
import { type JointReference, jointFilter } from './target.ts';
import { useReferencedRecord } from './use-choices.ts';

interface JointLookupProps {
  reference: JointReference;
  /** Of the table that refers. */
  schema: Schema;
  draftOf: (field: string) => Draft;
}

/** The record that several fields refer to together; nothing while one of them has no value. */
export function JointLookup({ reference, schema, draftOf }: JointLookupProps) {
  const t = useText('data');
  const { table, columns } = reference;
  const filter = jointFilter(reference, schema, columns.map(draftOf));
  const [debouncedFilter] = useDebouncedValue(filter, lookupPause);
  const lookup = useReferencedRecord(reference, debouncedFilter);
  return (
    <LookupResult
      target={reference}
      lookup={lookup}
      isSettled={debouncedFilter === filter}
      missingText={t('reference.missingTogether', { table, fields: columns.join(', ') })}
      unreadableText={t('reference.unreadableTogether', { table })}
    />
  );
}
