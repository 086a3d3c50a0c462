// SQL in place of the column, or of a field that has none.
import { ActionIcon, Button, Checkbox, MultiSelect, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useText } from '../../../text/index.ts';
import { dropDownProps } from '../../../ui/index.ts';
import type { DbFunction } from '../draft/field.ts';
import classes from './field.module.css';
import type { PartProps } from './field-form.tsx';
import { withVirtual } from './form.ts';
import { functionUses } from './types.ts';

export function ComputedInputs({ form, original, problems, isAdmin, set, onChange }: PartProps) {
  const t = useText('schema');
  const { draft } = form;
  const functions = draft.db_function ?? [];
  const isKey = draft.is_primary_key;
  const write = (next: DbFunction[]) => set({ db_function: next.length === 0 ? null : next });
  const blank = (use: string[]): DbFunction => ({ use, function: '' });
  const hasSelect = functions.some(({ use }) => use.includes('SELECT'));
  const remove = (index: number) => {
    const others = functions.filter((_, at) => at !== index);
    // A virtual field has nothing else.
    write(others.length === 0 && draft.is_virtual ? [blank(['SELECT'])] : others);
  };
  const change = (index: number, changes: Partial<DbFunction>) =>
    write(functions.map((item, at) => (at === index ? { ...item, ...changes } : item)));
  return (
    <>
      <Checkbox
        label={t('field.isVirtual')}
        description={t(original ? 'field.isVirtualStays' : 'field.isVirtualHelp')}
        checked={draft.is_virtual}
        disabled={original !== null}
        onChange={(event) => onChange(withVirtual(form, event.currentTarget.checked))}
      />
      <Checkbox
        label={t('field.isAggregate')}
        description={t('field.isAggregateHelp')}
        checked={draft.is_aggregate}
        disabled={!draft.is_virtual}
        onChange={(event) => set({ is_aggregate: event.currentTarget.checked })}
      />
      <fieldset className={classes.rules} disabled={!isAdmin || isKey}>
        <legend className={classes.legend}>{t('field.functions')}</legend>
        <p className={classes.help}>
          {!isAdmin ? t('field.adminOnly') : isKey ? t('field.noFunctionOfKey') : t('field.functionsHelp')}
        </p>
        {functions.map((item, index) => (
          <FunctionInputs
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and come and go one by one.
            key={index}
            number={index + 1}
            value={item}
            isTried={problems.db_function !== undefined}
            isUseWrong={item.use.length === 0 || (draft.is_virtual && !hasSelect && index === 0)}
            onChange={(changes) => change(index, changes)}
            onRemove={() => remove(index)}
          />
        ))}
        {problems.db_function ? (
          <p className={classes.problem} role="alert">
            {problems.db_function}
          </p>
        ) : null}
        <Button
          size="compact-sm"
          variant="default"
          className={classes.add!}
          leftSection={<IconPlus className={classes.icon} aria-hidden />}
          onClick={() => write([...functions, blank(functions.length === 0 ? ['SELECT'] : [])])}
        >
          {t('field.addFunction')}
        </Button>
      </fieldset>
    </>
  );
}

interface FunctionInputsProps {
  number: number;
  value: DbFunction;
  /** Whether what is missing is shown as wrong. */
  isTried: boolean;
  isUseWrong: boolean;
  onChange: (changes: Partial<DbFunction>) => void;
  onRemove: () => void;
}

function FunctionInputs({ number, value, isTried, isUseWrong, onChange, onRemove }: FunctionInputsProps) {
  const t = useText('schema');
  return (
    <fieldset className={classes.function} aria-label={t('field.functionNr', { number })}>
      <MultiSelect
        {...dropDownProps}
        label={t('field.uses')}
        data={functionUses}
        value={value.use}
        onChange={(use) => onChange({ use: functionUses.filter((one) => use.includes(one)) })}
        error={isTried && isUseWrong}
      />
      <div className={classes.nameRow}>
        <TextInput
          label={t('field.function')}
          placeholder={t('field.functionBlank')}
          value={value.function}
          onChange={(event) => onChange({ function: event.currentTarget.value })}
          error={isTried && value.function.trim() === ''}
          autoComplete="off"
          spellCheck={false}
          className={classes.grow!}
          classNames={{ input: classes.mono! }}
        />
        <ActionIcon
          size="input-sm"
          variant="default"
          aria-label={t('field.removeFunction', { number })}
          onClick={onRemove}
        >
          <IconTrash className={classes.icon} aria-hidden />
        </ActionIcon>
      </div>
    </fieldset>
  );
}
