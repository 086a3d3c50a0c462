// How the field shows in the API: its names there, and which values it takes.
import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useText } from '../../../text/index.ts';
import classes from './field.module.css';
import type { PartProps } from './field-form.tsx';
import {
  encodePattern,
  optionsOf,
  patternOf,
  type RuleName,
  type RuleOptions,
  readValidation,
  ruleNames,
  type Validation,
  withOption,
  withRule,
  writeValidation,
} from './rules.ts';
import { hasPicklist } from './types.ts';

const wrapper = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'] as ['label', 'input', 'description', 'error'],
};

export function ApiInputs({ form, problems, isAdmin, set, onChange }: PartProps) {
  const t = useText('schema');
  const { draft, isManual } = form;
  const validation = readValidation(form.validation);
  const change = (text: string) => onChange({ ...form, validation: text });
  return (
    <>
      <TextInput
        {...wrapper}
        label={t('field.alias')}
        description={isAdmin ? t('field.aliasHelp') : t('field.adminOnly')}
        value={draft.alias ?? ''}
        disabled={!isAdmin}
        onChange={(event) => set({ alias: event.currentTarget.value || null })}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: classes.mono! }}
      />
      <TextInput
        {...wrapper}
        label={t('field.label')}
        description={t('field.labelHelp')}
        value={draft.label}
        onChange={(event) => set({ label: event.currentTarget.value })}
        autoComplete="off"
      />
      <Textarea
        label={t('field.description')}
        value={draft.description ?? ''}
        onChange={(event) => set({ description: event.currentTarget.value || null })}
        autosize
        minRows={1}
        maxRows={8}
      />
      {(!isManual && hasPicklist(draft.type)) || draft.picklist !== null ? (
        <Textarea
          {...wrapper}
          label={t('field.picklist')}
          description={t('field.picklistHelp')}
          value={(draft.picklist ?? []).join('\n')}
          onChange={({ currentTarget: { value } }) => set({ picklist: value === '' ? null : value.split('\n') })}
          error={problems.picklist}
          autosize
          minRows={2}
          maxRows={10}
        />
      ) : null}
      <Rules validation={validation} onChange={(next) => change(writeValidation(next))} />
      <Textarea
        {...wrapper}
        label={t('field.validation')}
        description={t('field.validationHelp')}
        value={form.validation}
        onChange={(event) => change(event.currentTarget.value)}
        error={problems.validation}
        autosize
        minRows={2}
        maxRows={14}
        spellCheck={false}
        classNames={{ input: classes.mono! }}
      />
    </>
  );
}

interface RulesProps {
  /** Null while the JSON says nothing. */
  validation: Validation | null;
  onChange: (validation: Validation) => void;
}

/** The known rules, each with the message it may have. */
function Rules({ validation, onChange }: RulesProps) {
  const t = useText('schema');
  return (
    <fieldset className={classes.rules} disabled={validation === null}>
      <legend className={classes.legend}>{t('field.rules')}</legend>
      {ruleNames.map((rule) => {
        const isOn = validation !== null && Object.hasOwn(validation, rule);
        return (
          <div key={rule} className={classes.rule}>
            <Checkbox
              size="xs"
              label={t(`field.rule.${rule}`)}
              checked={isOn}
              onChange={(event) => onChange(withRule(validation ?? {}, rule, event.currentTarget.checked ? {} : null))}
            />
            {isOn && rule !== 'api_read_only' ? (
              <RuleInputs
                rule={rule}
                options={optionsOf(validation, rule)}
                onChange={(options) => onChange(withRule(validation, rule, options))}
              />
            ) : null}
          </div>
        );
      })}
    </fieldset>
  );
}

interface RuleInputsProps {
  rule: RuleName;
  options: RuleOptions;
  onChange: (options: RuleOptions) => void;
}

function RuleInputs({ rule, options, onChange }: RuleInputsProps) {
  const t = useText('schema');
  const message = typeof options.on_fail === 'string' ? options.on_fail : '';
  return (
    <div className={classes.ruleInputs}>
      {rule === 'match' ? (
        <TextInput
          size="xs"
          aria-label={t('field.pattern')}
          placeholder={t('field.patternBlank')}
          value={patternOf(options)}
          onChange={(event) => onChange(withOption(options, 'regexp', encodePattern(event.currentTarget.value)))}
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: classes.mono! }}
        />
      ) : null}
      <TextInput
        size="xs"
        aria-label={t('field.onFail', { rule: t(`field.rule.${rule}`) })}
        placeholder={t('field.onFailBlank')}
        value={message}
        onChange={(event) => onChange(withOption(options, 'on_fail', event.currentTarget.value))}
        autoComplete="off"
      />
    </div>
  );
}
