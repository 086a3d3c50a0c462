import { EditorScreen, editorTabs, Section, useEditor, validateForm } from '../../editor/index.ts';
import { ExplainPanel } from '../../explain/index.ts';
import { LookupKeysInput, lookupKeyErrors, SwitchInput, TextAreaInput, TextInput } from '../../fields/index.ts';
import { text, useText } from '../../text/index.ts';
import { Empty } from '../../ui/index.ts';
import { incompleteFilters, storedRows } from './access.ts';
import { AccessTab } from './access-tab.tsx';
import { BindingInput } from './binding-input.tsx';
import { impactOf } from './impact.ts';
import { meaningOf } from './meaning.ts';
import {
  emptyRole,
  fromComparable,
  type RoleForm,
  roleRelations,
  toComparable,
  toDraft,
  toForm,
  toRecord,
} from './record.ts';
import { canFilter, permissionTexts, type Services, useServices } from './sources.ts';

const tabs = ['basic', 'access', 'lookups', 'explain'] as const;

/** Create or edit a role (ROL-004). `id` is null for a new one; `tab` is the tab shown. */
export function RoleEditor({ id, tab }: { id: string | null; tab: string }) {
  const t = useText('roles');
  const services = useServices();
  const labels = {
    name: t('basic.name'),
    description: t('basic.description'),
    is_active: t('basic.active'),
    dn: t('basic.dn'),
    role_service_access_by_role_id: t('access.title'),
    lookup_by_role_id: t('lookups.title'),
  };
  return (
    <EditorScreen<RoleForm>
      id={id}
      texts="roles"
      resource="role"
      related={roleRelations}
      base="/roles"
      permissionTexts={permissionTexts}
      emptyForm={emptyRole}
      toForm={toForm}
      toRecord={toRecord}
      toDraft={toDraft}
      toComparable={toComparable}
      fromComparable={fromComparable}
      labels={labels}
      describeValue={(field, value) => rowText(field, value, services)}
      validate={validate}
      fieldOf={(field) => (rowFields.includes(field) ? 'access' : field)}
      warning={(form) => impactOf([Number(form.id)])}
      tabs={(editor) => editorTabs(editor, { tabs, labelOf: (name) => t(`tabs.${name}`), tabOf })}
    >
      <TabContent tab={tab} services={services} />
    </EditorScreen>
  );
}

/** The server names the field of a row, not the row. */
const rowFields = ['service_id', 'component', 'verb_mask', 'requestor_mask', 'filters', 'filter_op'];

const tabOf = (field: string) =>
  field.startsWith('access') ? 'access' : field.startsWith('lookup_by_role_id') ? 'lookups' : 'basic';

/** A row of service access in the words it has on its tab. */
function rowText(field: string, value: unknown, services: Services): string | undefined {
  if (field !== 'role_service_access_by_role_id') return undefined;
  const [row] = storedRows([value]);
  const service = row && services.find(row.service_id);
  if (!row) return undefined;
  const name = row.service_id === null ? null : (service?.name ?? String(row.service_id));
  return `${name ?? text('roles:access.all')} ${row.component}: ${meaningOf(row, name, canFilter(services, service))}`;
}

/** What is wrong before anything is sent: ROL-021, ROL-023, and filters that would break the calls they are for. */
const validate = (form: RoleForm): Record<string, string> => ({
  ...validateForm('role', form, { name: { label: text('roles:basic.name') } }),
  ...Object.fromEntries(
    incompleteFilters(form.access).map((path) => [
      path,
      text('editor:required', { label: text('roles:filters.field') }),
    ]),
  ),
  ...lookupKeyErrors('lookup_by_role_id', form.lookup_by_role_id, 'role_id'),
});

/** The inputs of the tab that is shown; the values of the others stay in the form. */
function TabContent({ tab, services }: { tab: string; services: Services }) {
  const t = useText('roles');
  if (tab === 'access') return <AccessTab services={services} />;
  if (tab === 'explain') return <ExplainTab />;
  if (tab === 'lookups')
    return (
      <Section title={t('lookups.title')} text={t('lookups.hint')} wide>
        <LookupKeysInput name="lookup_by_role_id" ownerField="role_id" />
      </Section>
    );
  return (
    <Section title={t('basic.title')} text={t('basic.hint')}>
      <TextInput name="name" label={t('basic.name')} description={t('basic.nameHint')} required />
      <TextAreaInput name="description" label={t('basic.description')} description={t('basic.descriptionHint')} />
      <BindingInput />
      <SwitchInput name="is_active" label={t('basic.active')} description={t('basic.activeHint')} />
    </Section>
  );
}

/** What the stored role may do; the server cannot explain a new one. */
function ExplainTab() {
  const t = useText('roles');
  const { id, isDirty } = useEditor<RoleForm>();
  if (id === null) return <Empty title={t('explain.notYet')} text={t('explain.saveFirst')} />;
  return <ExplainPanel subject={{ role_id: Number(id) }} isDirty={isDirty} />;
}
