import { ActionIcon, Checkbox, Group, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { secretMask } from '@sluice/contract';
import { IconTrash } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { declaredRules, useEditor, useField } from '../editor/index.ts';
import { text, useText } from '../text/index.ts';
import { SecretInput } from '../ui/index.ts';
import { FieldGroup } from './inputs/field-group.tsx';
import classes from './inputs/fields.module.css';
import { AddRowButton } from './inputs/row-buttons.tsx';
import {
  isRemoved,
  type LookupKey,
  type LookupOwner,
  lookupProblems,
  newLookupKey,
  removeLookupKey,
  withPrivate,
} from './lookup-keys.ts';

/** contract/system-resources.md §11. */
const maxNameLength = declaredRules('owned_lookup', 'name').max;

interface LookupKeysInputProps {
  /** The relation that holds the keys: `lookup_by_user_id`. */
  name: string;
  /** The field of a key that points to its owner. */
  ownerField: LookupOwner;
  /** Shown while there are no keys; the text of the owner when absent. */
  emptyText?: string;
}

/** The lookup keys of the record being edited: a row each with name, value and whether it is private (OPEN-092). */
export function LookupKeysInput({ name: relation, ownerField, emptyText }: LookupKeysInputProps) {
  const t = useText('fields');
  const { form, record } = useEditor();
  const { value: keys, onChange, disabled } = useField<LookupKey[]>(relation);
  const containerRef = useRef<HTMLDivElement>(null);
  const focusesLast = useRef(false);
  useEffect(() => {
    if (focusesLast.current) containerRef.current?.querySelector<HTMLElement>('tbody tr:last-child input')?.focus();
    focusesLast.current = false;
  });

  const visibleKeys = keys.map((key, index) => ({ key, index })).filter(({ key }) => !isRemoved(key, ownerField));
  const duplicates = new Set(
    lookupProblems(keys, ownerField).flatMap(({ index, problem }) => (problem === 'notUnique' ? [index] : [])),
  );
  const errorOf = (index: number, field: 'name' | 'value') =>
    form.errors[lookupPath(relation, index, field)] ??
    (field === 'name' && duplicates.has(index) ? t('lookups.notUnique') : undefined);
  // Places shift when a row goes, and duplicates end in another row than the one typed into: what a save found is dropped.
  const replaceKeys = (next: LookupKey[]) => {
    for (const path of Object.keys(form.errors)) if (path.startsWith(`${relation}.`)) form.clearFieldError(path);
    onChange(next);
  };
  const replaceKey = (index: number, key: LookupKey) => replaceKeys(keys.with(index, key));
  const storedKeyOf = (key: LookupKey): LookupKey | undefined =>
    (record?.[relation] as LookupKey[] | undefined)?.find(({ id }) => id !== undefined && id === key.id);
  const setPrivate = (index: number, key: LookupKey, isPrivate: boolean) => {
    const next = withPrivate(key, isPrivate);
    // Ticked again without a new value, the secret is the stored one.
    replaceKey(
      index,
      isPrivate && next.value === '' && storedKeyOf(key)?.value === secretMask ? { ...next, value: secretMask } : next,
    );
  };

  return (
    <div ref={containerRef}>
      <FieldGroup
        wide
        // The section around shows the label already.
        label={<VisuallyHidden>{t('lookups.label')}</VisuallyHidden>}
        description={t('lookups.hint')}
        disabled={disabled}
      >
        {visibleKeys.length === 0 ? (
          <Text size="sm" c="var(--s-text-soft)">
            {emptyText ?? t(`lookups.empty.${ownerField}`)}
          </Text>
        ) : (
          <div className={`${classes.box} ${classes.scroll}`}>
            <table className={classes.rows}>
              <thead>
                <tr>
                  <th scope="col">{t('lookups.name')} *</th>
                  <th scope="col">{t('lookups.value')} *</th>
                  <th scope="col">{t('lookups.private')}</th>
                  <th aria-hidden />
                </tr>
              </thead>
              <tbody>
                {visibleKeys.map(({ key, index }, visibleIndex) => {
                  const labelOf = (label: string) => t('itemOf', { label, row: visibleIndex + 1 });
                  const valueProps = {
                    'aria-label': labelOf(t('lookups.value')),
                    error: errorOf(index, 'value'),
                    value: key.value ?? '',
                    disabled,
                  };
                  return (
                    <tr key={key.id ?? `new-${index}`}>
                      <td>
                        <span className={classes.cellLabel} aria-hidden>
                          {t('lookups.name')}
                        </span>
                        <TextInput
                          aria-label={labelOf(t('lookups.name'))}
                          value={key.name}
                          error={errorOf(index, 'name')}
                          maxLength={maxNameLength}
                          onChange={(event) => replaceKey(index, { ...key, name: event.currentTarget.value })}
                          classNames={{ input: classes.mono ?? '' }}
                          spellCheck={false}
                          autoComplete="off"
                        />
                      </td>
                      <td>
                        <span className={classes.cellLabel} aria-hidden>
                          {t('lookups.value')}
                        </span>
                        {key.private ? (
                          <SecretInput
                            {...valueProps}
                            onChange={(next) => replaceKey(index, { ...key, value: next })}
                          />
                        ) : (
                          <TextInput
                            {...valueProps}
                            onChange={(event) => replaceKey(index, { ...key, value: event.currentTarget.value })}
                            spellCheck={false}
                            autoComplete="off"
                          />
                        )}
                      </td>
                      <td>
                        <span className={classes.cellLabel} aria-hidden>
                          {t('lookups.private')}
                        </span>
                        <div className={classes.check}>
                          <Checkbox
                            aria-label={labelOf(t('lookups.private'))}
                            checked={key.private}
                            onChange={(event) => setPrivate(index, key, event.currentTarget.checked)}
                          />
                        </div>
                      </td>
                      <td>
                        <ActionIcon
                          aria-label={t('lookups.remove', { name: key.name || visibleIndex + 1 })}
                          title={t('lookups.delete')}
                          onClick={() => replaceKeys(removeLookupKey(keys, index, ownerField))}
                        >
                          <IconTrash size="1.1em" aria-hidden />
                        </ActionIcon>
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
        )}
        <Group mt="sm">
          <AddRowButton
            label={t('lookups.add')}
            onClick={() => {
              focusesLast.current = true;
              replaceKeys([...keys, newLookupKey]);
            }}
          />
        </Group>
      </FieldGroup>
    </div>
  );
}

const lookupPath = (relation: string, index: number, field: string) => `${relation}.${index}.${field}`;

/** What is wrong with the keys of a form, for an editor's `validate`: shown beside each input (PPL-032). */
export const lookupKeyErrors = (
  relation: string,
  keys: readonly LookupKey[],
  ownerField: LookupOwner,
): Record<string, string> =>
  Object.fromEntries(
    lookupProblems(keys, ownerField).map(({ index, field, problem }) => [
      lookupPath(relation, index, field),
      problem === 'notUnique'
        ? text('fields:lookups.notUnique')
        : text('editor:required', { label: text(`fields:lookups.${field}`) }),
    ]),
  );
