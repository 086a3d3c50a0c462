import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { type Caller, connection, useSession } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import { SearchSelect, useStore } from '../../ui/index.ts';
import classes from '../calls.module.css';
import type { Credential } from '../code/call.ts';
import { useMayCreateKeys } from '../key/permission.ts';
import { type KeyPreset, openCreateKey } from '../key/requests.ts';
import { chosenApp, useCallingApps, useRoleNames } from './callers.ts';

/** Apps that are offered at once; typing finds the others. */
const maxOptions = 50;
const ownSession = 'session';
/** What values of roles begin with. */
const ofRole = 'role ';

interface CallerOptions {
  /** Administrators may choose a role, too: nothing is sent as one, but what it may do can be explained. */
  hasRoles?: boolean;
}

/** Who makes the call, and the input that says so. `roleId`: a role was chosen, so that nobody makes it. */
export function useCaller(preset: KeyPreset, { hasRoles = false }: CallerOptions = {}) {
  const t = useText('calls');
  const session = useSession();
  const appsQuery = useCallingApps();
  const apps = appsQuery.data ?? [];
  const chosen = useStore(chosenApp);
  const [chosenRole, setChosenRole] = useState<number | null>(null);
  const { data: roles = [] } = useRoleNames(hasRoles && session?.is_sys_admin === true);
  const role = roles.find(({ id }) => id === chosenRole);
  const app = role ? undefined : apps.find(({ id }) => id === chosen);
  const mayCreate = useMayCreateKeys();
  const createKey = async () => {
    const created = await openCreateKey(preset);
    if (created) chosenApp.set(created.app_id);
  };
  const caller: Caller = app ? { apiKey: app.api_key } : 'session';
  const credential: Credential = app
    ? { apiKey: app.api_key }
    : {
        // An administrator's token needs no app beside it (contract/http-basics.md §3).
        apiKey: session?.is_sys_admin ? undefined : connection.get().apiKey || undefined,
        tokenHint: t('drawer.sessionToken'),
      };
  const ownHint = t('drawer.sessionHint', { path: session?.is_sys_admin ? 'system/admin/session' : 'user/session' });
  const [value, hint] = role
    ? [`${ofRole}${role.id}`, t('drawer.roleHint')]
    : app
      ? [String(app.id), t('drawer.keyHint')]
      : [ownSession, ownHint];
  const choice = (
    <div className={classes.caller}>
      <SearchSelect
        label={t('drawer.caller')}
        description={hint}
        data={[
          { value: ownSession, label: t('drawer.session') },
          ...apps.map(({ id, name }) => ({ value: String(id), label: name })),
          ...roles.map(({ id, name }) => ({ value: `${ofRole}${id}`, label: t('drawer.asRole', { role: name }) })),
        ]}
        value={value}
        onChange={(next) => {
          const isRole = next?.startsWith(ofRole) === true;
          setChosenRole(isRole ? Number(next.slice(ofRole.length)) : null);
          if (!isRole) chosenApp.set(next === ownSession || next === null ? null : Number(next));
        }}
        allowDeselect={false}
        searchable={apps.length + roles.length > 8}
        limit={maxOptions}
        nothingFoundMessage={t('key.noMatch')}
        error={appsQuery.error ? t('drawer.appsFailed') : undefined}
      />
      {mayCreate ? (
        <Button
          variant="default"
          leftSection={<IconKey className={classes.icon} aria-hidden />}
          onClick={() => void createKey()}
        >
          {t('key.create')}
        </Button>
      ) : null}
    </div>
  );
  return { caller, credential, choice, roleId: role?.id };
}
