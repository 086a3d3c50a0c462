// The inputs of a field (OPEN-171): its name and type, then groups of what goes with the type.
import { TextInput } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import { useId } from 'react';
import { useSession } from '../../../api/index.ts';
import { useText } from '../../../text/index.ts';
import { SearchSelect } from '../../../ui/index.ts';
import type { SchemaTable } from '../address/sources.ts';
import type { FieldDraft } from '../draft/field.ts';
import type { TableDraft } from '../draft/table.ts';
import { ApiInputs } from './api-inputs.tsx';
import { ComputedInputs } from './computed-inputs.tsx';
import classes from './field.module.css';
import { type FieldForm as Form, type Original, type Problems, withType } from './form.ts';
import { KeyInputs } from './key-inputs.tsx';
import type { ReferenceRules } from './reference.ts';
import { fieldTypes, moreReturnTypes, returnTypes } from './types.ts';
import { ValueInputs } from './value-inputs.tsx';

/** What each group of inputs gets. */
export interface PartProps {
  service: string;
  table: SchemaTable | TableDraft;
  form: Form;
  /** As the server has it; null while it does not. */
  original: Original;
  problems: Problems;
  /** Aliases and functions are for administrators. */
  isAdmin: boolean;
  /** Changes keys of the draft. */
  set: (changes: Partial<FieldDraft>) => void;
  onChange: (form: Form) => void;
}

interface FieldFormProps extends Omit<PartProps, 'isAdmin' | 'set'> {
  /** What the foreign key that it has does; null without one. */
  rules: ReferenceRules | null;
  nameInput: RefObject<HTMLInputElement | null>;
  /** Beside the name of a field that the server has. */
  rename: ReactNode;
}

export function FieldForm({ rules, nameInput, rename, ...props }: FieldFormProps) {
  const { form, original, problems, onChange } = props;
  const t = useText('schema');
  const isAdmin = useSession()?.is_sys_admin === true;
  const set = (changes: Partial<FieldDraft>) => onChange({ ...form, draft: { ...form.draft, ...changes } });
  const part: PartProps = { ...props, isAdmin, set };
  const { draft } = form;
  const inApi = (
    <Section title={t('field.inApi')}>
      <ApiInputs {...part} />
    </Section>
  );
  // What a virtual field is stands at its top.
  const isComputedFirst = original?.is_virtual === true;
  return (
    <>
      <div className={classes.group}>
        <div className={classes.nameRow}>
          <TextInput
            ref={nameInput}
            label={t('field.name')}
            value={draft.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            readOnly={original !== null}
            required={original === null}
            withAsterisk={false}
            aria-required
            error={problems.name}
            autoComplete="off"
            spellCheck={false}
            className={classes.grow!}
            classNames={{ input: classes.mono! }}
          />
          {rename}
        </div>
        <TypeInputs {...part} />
      </div>
      {draft.is_virtual ? null : (
        <>
          <Section title={t('field.value')}>
            <ValueInputs {...part} />
          </Section>
          <Section title={t('field.keys')}>
            <KeyInputs {...part} rules={rules} />
          </Section>
        </>
      )}
      {isComputedFirst ? null : inApi}
      <Section title={t('field.computed')}>
        <ComputedInputs {...part} />
      </Section>
      {isComputedFirst ? inApi : null}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.group} aria-labelledby={id}>
      <h3 id={id} className={classes.groupTitle}>
        {title}
      </h3>
      {children}
    </section>
  );
}

/** Stands for the type that is typed in. */
const manual = 'manual entry';

const explained = [
  'user_id',
  'user_id_on_create',
  'user_id_on_update',
  'timestamp_on_create',
  'timestamp_on_update',
  'reference',
] as const;

function TypeInputs({ form, original, problems, set, onChange }: PartProps) {
  const t = useText('schema');
  const { draft, isManual } = form;
  const known = draft.is_virtual ? [...returnTypes, ...moreReturnTypes] : fieldTypes;
  const others = [original?.type, draft.type].filter((type): type is string => Boolean(type) && !known.includes(type!));
  const groups = draft.is_virtual
    ? [
        { group: t('field.returnTypes'), items: returnTypes },
        { group: t('field.moreTypes'), items: moreReturnTypes },
      ]
    : [{ group: t('field.simpleTypes'), items: fieldTypes }];
  const data = [
    ...(others.length > 0 ? [{ group: t('field.otherType'), items: [...new Set(others)] }] : []),
    ...groups,
    ...(draft.is_virtual ? [] : [{ group: t('field.dbType'), items: [{ value: manual, label: t('field.manual') }] }]),
  ];
  const explanation = explained.find((type) => type === draft.type);
  const help =
    draft.type === 'id'
      ? t('field.idHelp')
      : explanation
        ? t(`field.automatic.${explanation}`)
        : original?.db_type && draft.type === original.type
          ? t('field.isDbType', { type: original.db_type })
          : undefined;
  return (
    <>
      <SearchSelect
        takesOnLeave
        allowDeselect={false}
        label={t('field.type')}
        placeholder={t('field.typeBlank')}
        data={data}
        value={isManual ? manual : draft.type || null}
        onChange={(type) => onChange(withType(form, type === manual ? null : type, original))}
        // The pane of a field that is there begins with it.
        openOnFocus={original === null}
        error={problems.type}
        description={isManual ? undefined : help}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        aria-required
      />
      {isManual ? (
        <TextInput
          label={t('field.dbType')}
          description={t('field.dbTypeHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={draft.db_type ?? ''}
          onChange={(event) => set({ db_type: event.currentTarget.value })}
          error={problems.db_type}
          aria-required
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: classes.mono! }}
        />
      ) : null}
    </>
  );
}
