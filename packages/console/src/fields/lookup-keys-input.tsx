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
  owner: LookupOwner;
  /** Shown while there are no keys; the text of the owner when absent. */
  empty?: string;
}

/** The lookup keys of the record being edited: a row each with name, value and whether it is private (OPEN-092). */
export function LookupKeysInput({ name, owner, empty }: LookupKeysInputProps) {
  const t = useText('fields');
  const { form, record } = useEditor();
  const { value, onChange, disabled } = useField<LookupKey[]>(name);
  const frame = useRef<HTMLDivElement>(null);
  const hasNew = useRef(false);
  useEffect(() => {
    if (hasNew.current) frame.current?.querySelector<HTMLElement>('tbody tr:last-child input')?.focus();
    hasNew.current = false;
  });

  const visibleKeys = value.map((key, row) => ({ key, row })).filter(({ key }) => !isRemoved(key, owner));
  const duplicates = new Set(
    lookupProblems(value, owner).flatMap(({ row, problem }) => (problem === 'notUnique' ? [row] : [])),
  );
  const errorOf = (row: number, part: 'name' | 'value') =>
    form.errors[lookupPath(name, row, part)] ??
    (part === 'name' && duplicates.has(row) ? t('lookups.notUnique') : undefined);
  // Places shift when a row goes, and duplicates end in another row than the one typed into: what a save found is dropped.
  const change = (next: LookupKey[]) => {
    for (const path of Object.keys(form.errors)) if (path.startsWith(`${name}.`)) form.clearFieldError(path);
    onChange(next);
  };
  const changeKey = (row: number, key: LookupKey) => change(value.with(row, key));
  const storedKey = (key: LookupKey): LookupKey | undefined =>
    (record?.[name] as LookupKey[] | undefined)?.find(({ id }) => id !== undefined && id === key.id);
  const setPrivate = (row: number, key: LookupKey, isPrivate: boolean) => {
    const next = withPrivate(key, isPrivate);
    // Ticked again without a new value, the secret is the stored one.
    changeKey(
      row,
      isPrivate && next.value === '' && storedKey(key)?.value === secretMask ? { ...next, value: secretMask } : next,
    );
  };

  return (
    <div ref={frame}>
      <FieldGroup
        wide
        // The section around shows the label already.
        label={<VisuallyHidden>{t('lookups.label')}</VisuallyHidden>}
        description={t('lookups.hint')}
        disabled={disabled}
      >
        {visibleKeys.length === 0 ? (
          <Text size="sm" c="var(--s-text-soft)">
            {empty ?? t(`lookups.empty.${owner}`)}
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
                {visibleKeys.map(({ key, row }, place) => {
                  const labelOf = (label: string) => t('itemOf', { label, row: place + 1 });
                  const valueProps = {
                    'aria-label': labelOf(t('lookups.value')),
                    error: errorOf(row, 'value'),
                    value: key.value ?? '',
                    disabled,
                  };
                  return (
                    <tr key={key.id ?? `new-${row}`}>
                      <td>
                        <span className={classes.cellLabel} aria-hidden>
                          {t('lookups.name')}
                        </span>
                        <TextInput
                          aria-label={labelOf(t('lookups.name'))}
                          value={key.name}
                          error={errorOf(row, 'name')}
                          maxLength={maxNameLength}
                          onChange={(event) => changeKey(row, { ...key, name: event.currentTarget.value })}
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
                          <SecretInput {...valueProps} onChange={(next) => changeKey(row, { ...key, value: next })} />
                        ) : (
                          <TextInput
                            {...valueProps}
                            onChange={(event) => changeKey(row, { ...key, value: event.currentTarget.value })}
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
                            onChange={(event) => setPrivate(row, key, event.currentTarget.checked)}
                          />
                        </div>
                      </td>
                      <td>
                        <ActionIcon
                          aria-label={t('lookups.remove', { name: key.name || place + 1 })}
                          title={t('lookups.delete')}
                          onClick={() => change(removeLookupKey(value, row, owner))}
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
              hasNew.current = true;
              change([...value, newLookupKey]);
            }}
          />
        </Group>
      </FieldGroup>
    </div>
  );
}

const lookupPath = (name: string, row: number, part: string) => `${name}.${row}.${part}`;

/** What is wrong with the keys of a form, for an editor's `validate`: shown beside each input (PPL-032). */
export const lookupKeyErrors = (name: string, keys: readonly LookupKey[], owner: LookupOwner): Record<string, string> =>
  Object.fromEntries(
    lookupProblems(keys, owner).map(({ row, part, problem }) => [
      lookupPath(name, row, part),
      problem === 'notUnique'
        ? text('fields:lookups.notUnique')
        : text('editor:required', { label: text(`fields:lookups.${part}`) }),
    ]),
  );
