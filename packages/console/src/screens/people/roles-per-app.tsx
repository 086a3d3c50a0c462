import { Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Section, useEditor } from '../../editor/index.ts';
import { useText } from '../../text/index.ts';
import { SearchInput, SearchSelect } from '../../ui/index.ts';
import classes from './people.module.css';
import { type PersonForm, roleIn, withRole } from './person.ts';
import type { ChoiceRecord } from './sources.ts';

/** From so many apps on, there is a search input. */
const minAppsToSearch = 8;
/** So many apps have a row and so many roles are offered at once; typing finds the others. */
const maxApps = 100;
const maxRoles = 50;

interface Option {
  value: string;
  label: string;
}

/** A user's role in each app: a row for every app, with all roles to choose from (PPL-020, OPEN-090). */
export function RolesPerApp({ roles, apps }: { roles: readonly ChoiceRecord[]; apps: readonly ChoiceRecord[] }) {
  const t = useText('people');
  const { form, isReadOnly } = useEditor<PersonForm>();
  const [searchText, setSearchText] = useState('');
  const assigned = form.values.user_to_app_to_role_by_user_id;
  const options = useMemo(() => {
    const nameOf = ({ name, is_active }: ChoiceRecord) => (is_active ? name : t('roles.inactive', { name }));
    const all = roles.map((role) => ({ value: String(role.id), label: nameOf(role) }));
    return all.sort((a, b) => a.label.localeCompare(b.label));
  }, [roles, t]);
  const byId = useMemo(() => new Map(options.map((option) => [option.value, option])), [options]);

  const searched = searchText.trim().toLowerCase();
  const matching = apps.filter(({ name }) => name.toLowerCase().includes(searched));
  const shown = matching.slice(0, maxApps);
  const changeRole = (app: number, role: string | null) =>
    form.setFieldValue(
      'user_to_app_to_role_by_user_id',
      withRole(assigned, app, role === null ? null : Number(role), form.values.id),
    );

  return (
    <Section title={t('roles.title')} text={t('roles.hint')} wide>
      {apps.length > minAppsToSearch ? (
        <SearchInput
          className={classes.find ?? ''}
          label={t('roles.find')}
          value={searchText}
          onChange={setSearchText}
        />
      ) : null}
      {shown.length === 0 ? (
        <Text size="sm" c="var(--s-text-soft)">
          {apps.length === 0 ? t('roles.noApps') : t('roles.noApp', { text: searchText })}
        </Text>
      ) : (
        <table className={classes.roles}>
          <thead>
            <tr>
              <th scope="col">{t('roles.app')}</th>
              <th scope="col">{t('roles.role')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((app) => (
              <tr key={app.id}>
                <th scope="row">{app.is_active ? app.name : t('roles.inactive', { name: app.name })}</th>
                <td>
                  <RolePicker
                    label={t('roles.roleIn', { app: app.name })}
                    role={roleIn(assigned, app.id)}
                    options={options}
                    byId={byId}
                    disabled={isReadOnly}
                    onChange={(role) => changeRole(app.id, role)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {matching.length > shown.length ? (
        <Text size="sm" c="var(--s-text-soft)">
          {t('roles.more', { count: matching.length - shown.length })}
        </Text>
      ) : null}
    </Section>
  );
}

interface RolePickerProps {
  label: string;
  role: number | null;
  options: readonly Option[];
  byId: ReadonlyMap<string, Option>;
  disabled: boolean;
  onChange: (role: string | null) => void;
}

/** One of perhaps ten thousand roles: only the picker in use knows them all, and it draws the first of those that match. */
function RolePicker({ label, role, options, byId, disabled, onChange }: RolePickerProps) {
  const t = useText('people');
  const [isUsed, setUsed] = useState(false);
  const value = role === null ? null : String(role);
  const chosen = useMemo(() => (value === null ? [] : [byId.get(value) ?? { value, label: value }]), [value, byId]);
  const data = useMemo(() => {
    if (!isUsed) return chosen;
    // The chosen role is on offer even if the list of roles does not have it.
    const unlistedOptions = chosen.filter((option) => !byId.has(option.value));
    return [{ value: '', label: t('roles.none') }, ...unlistedOptions, ...options];
  }, [isUsed, chosen, byId, options, t]);
  return (
    <SearchSelect
      aria-label={label}
      placeholder={t('roles.none')}
      data={data}
      limit={maxRoles}
      value={value}
      disabled={disabled}
      onFocus={() => setUsed(true)}
      onMouseDown={() => setUsed(true)}
      onChange={(chosen) => onChange(chosen || null)}
      allowDeselect={false}
      nothingFoundMessage={t('roles.noRole')}
    />
  );
}
