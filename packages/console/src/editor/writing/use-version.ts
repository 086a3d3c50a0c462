import type { UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Row } from '../../list/index.ts';
import type { EditorSource, FormValues } from '../source.ts';
import { recordKey } from './records.ts';

/** A record as its form holds it. */
export const formOf = <F extends FormValues>({ toForm }: EditorSource<F>, record: Row): F =>
  toForm ? toForm(record) : (record as F);

/** The version of a record that a write goes on top of: ahead of what is rendered from the moment another one was adopted. */
export function useVersion<F extends FormValues>(
  source: EditorSource<F>,
  form: UseFormReturnType<F>,
  id: string | null,
  record: Row | null,
) {
  const client = useQueryClient();
  const latest = useRef(record);
  const rendered = useRef(record);
  if (rendered.current !== record) {
    rendered.current = record;
    latest.current = record;
  }
  return {
    /** Of the record; null for one that gets its id when it is made. */
    id,
    current: (): Row | null => latest.current,
    /** Goes on with this version, with these values on top of it. */
    adopt: (version: Row, values: F) => {
      client.setQueryData(recordKey(source.resource, id, source.related), version);
      latest.current = version;
      const initial = formOf(source, version);
      form.resetDirty(initial);
      form.setInitialValues(initial);
      form.setValues(values);
    },
  };
}

export type Version<F extends FormValues> = ReturnType<typeof useVersion<F>>;
