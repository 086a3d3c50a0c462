// What a value of the field may be, and what it is when nothing is said.
import { Checkbox, Select, TextInput } from '@mantine/core';
import { useText } from '../../../text/index.ts';
import { dropDownProps } from '../../../ui/index.ts';
import classes from './field.module.css';
import type { PartProps } from './field-form.tsx';
import { defaultText, isExpression, readDefault } from './form.ts';
import { NumberInput } from './number-input.tsx';
import { hasLength, hasPrecision, isAutomatic } from './types.ts';

export function ValueInputs(props: PartProps) {
  const { form, problems, set } = props;
  const t = useText('schema');
  const { draft, isManual } = form;
  const type = isManual ? null : draft.type;
  return (
    <>
      {hasLength(type) ? (
        <NumberInput
          label={t('field.length')}
          value={draft.length}
          onChange={(length) => set({ length })}
          error={problems.length}
        />
      ) : null}
      {hasPrecision(type) ? (
        <div className={classes.pair}>
          <NumberInput
            label={t('field.precision')}
            value={draft.precision}
            onChange={(precision) => set({ precision })}
            error={problems.length}
          />
          <NumberInput label={t('field.scale')} value={draft.scale} onChange={(scale) => set({ scale })} />
        </div>
      ) : null}
      {type === 'string' ? (
        <div className={classes.pair}>
          <Checkbox
            label={t('field.fixedLength')}
            checked={draft.fixed_length}
            onChange={(event) => set({ fixed_length: event.currentTarget.checked })}
          />
          <Checkbox
            label={t('field.multibyte')}
            checked={draft.supports_multibyte}
            onChange={(event) => set({ supports_multibyte: event.currentTarget.checked })}
          />
        </div>
      ) : null}
      <Checkbox
        label={t('field.allowNull')}
        description={t('field.allowNullHelp')}
        checked={draft.allow_null}
        disabled={draft.type === 'id' || draft.is_primary_key}
        onChange={(event) => set({ allow_null: event.currentTarget.checked })}
      />
      {isAutomatic(type) || draft.auto_increment ? null : <DefaultInput {...props} />}
    </>
  );
}

function DefaultInput({ form, problems, set }: PartProps) {
  const t = useText('schema');
  const { draft, isManual } = form;
  const type = isManual ? null : draft.type;
  const isSql = isExpression(draft.default);
  const typed = defaultText(draft.default);
  if (type === 'boolean' && !isSql) {
    return (
      <Select
        {...dropDownProps}
        label={t('field.default')}
        placeholder={t('field.noDefault')}
        data={[
          { value: 'true', label: t('field.true') },
          { value: 'false', label: t('field.false') },
        ]}
        value={typed === '' ? null : typed}
        onChange={(next) => set({ default: readDefault(next ?? '', type) })}
        clearable
        error={problems.default}
      />
    );
  }
  const write = (next: string) => set({ default: isSql ? { expression: next } : readDefault(next, type) });
  return (
    <>
      <TextInput
        label={t('field.default')}
        placeholder={t(draft.default === '' ? 'field.emptyDefault' : 'field.noDefault')}
        value={typed}
        onChange={(event) => write(event.currentTarget.value)}
        error={problems.default}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: classes.mono! }}
      />
      {typed !== '' || isSql ? (
        <Checkbox
          label={t('field.expression')}
          description={t('field.expressionHelp')}
          checked={isSql}
          onChange={(event) =>
            set({ default: event.currentTarget.checked ? { expression: typed } : readDefault(typed, type) })
          }
        />
      ) : null}
    </>
  );
}
