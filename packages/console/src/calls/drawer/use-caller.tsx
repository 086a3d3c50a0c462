import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { type Caller, connection, useSession } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import { SearchSelect, useStore } from '../../ui/index.ts';
import classes from '../calls.module.css';
import type { Credential } from '../code/call.ts';
import { useMayCreateKeys } from '../key/permission.ts';
import { type KeyPreset, openCreateKey } from '../key/requests.ts';
import { chosenApp, useCallingApps } from './callers.ts';

/** Apps that are offered at once; typing finds the others. */
const maxOptions = 50;
const ownSession = 'session';

/** Who makes the call, and the input that says so. */
export function useCaller(preset: KeyPreset) {
  const t = useText('calls');
  const session = useSession();
  const appsQuery = useCallingApps();
  const apps = appsQuery.data ?? [];
  const chosen = useStore(chosenApp);
  const app = apps.find(({ id }) => id === chosen);
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
  const choice = (
    <div className={classes.caller}>
      <SearchSelect
        label={t('drawer.caller')}
        description={
          app
            ? t('drawer.keyHint')
            : t('drawer.sessionHint', { path: session?.is_sys_admin ? 'system/admin/session' : 'user/session' })
        }
        data={[
          { value: ownSession, label: t('drawer.session') },
          ...apps.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={app ? String(app.id) : ownSession}
        onChange={(value) => chosenApp.set(value === ownSession || value === null ? null : Number(value))}
        allowDeselect={false}
        searchable={apps.length > 8}
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
  return { caller, credential, choice };
}
