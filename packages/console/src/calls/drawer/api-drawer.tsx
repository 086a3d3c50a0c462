// The call for what a table shows, in three languages, with a key or one's own session; and what it answers.
import { Button, Drawer, MultiSelect, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { apiAddress, type Caller, connection, useSession } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import { dropDownProps, SearchSelect, useStore } from '../../ui/index.ts';
import { CallCode } from '../call-code.tsx';
import classes from '../calls.module.css';
import type { Credential } from '../code/call.ts';
import { useMayCreateKeys } from '../key/permission.ts';
import { keyRequest, openCreateKey } from '../key/requests.ts';
import { RunCall } from '../run-call.tsx';
import { chosenApp, useCallingApps } from './callers.ts';

export interface ApiDrawerProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** Below `/api/v2`, encoded. */
  path: string;
  query: Record<string, string>;
  /** Relations whose records can come along. */
  relations: readonly { name: string; label: string }[];
  /** What a new key is for at first. */
  service: string;
  table: string;
}

/** Apps and relations that are offered at once; typing finds the others. */
const maxOptions = 50;
const ownSession = 'session';

export function ApiDrawer({ isOpen, onClose, title, ...call }: ApiDrawerProps) {
  const common = useText('common');
  // Closed at first: only a drawer that opens notes where the focus was.
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(isOpen), [isOpen]);
  const isAsking = useStore(keyRequest) !== null;
  return (
    <Drawer
      opened={isShown}
      onClose={onClose}
      title={title}
      position="right"
      size="lg"
      classNames={{ title: classes.drawerTitle! }}
      closeOnEscape={!isAsking}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <DrawerContent {...call} />
    </Drawer>
  );
}

function DrawerContent({
  path,
  query,
  relations,
  service,
  table,
}: Omit<ApiDrawerProps, 'isOpen' | 'onClose' | 'title'>) {
  const t = useText('calls');
  const [related, setRelated] = useState<string[]>([]);
  const { caller, credential, choice } = useCaller(service, table);
  const whole = related.length > 0 ? { ...query, related: related.join(',') } : query;
  return (
    <div className={classes.form}>
      <Text size="sm" c="var(--s-text-soft)">
        {t('drawer.text')}
      </Text>
      {choice}
      {relations.length > 0 ? (
        <MultiSelect
          {...dropDownProps}
          label={t('drawer.related')}
          description={t('drawer.relatedHint')}
          placeholder={related.length === 0 ? t('drawer.relatedNone') : ''}
          data={relations.map(({ name, label }) => ({ value: name, label: label || name }))}
          value={related}
          onChange={setRelated}
          searchable
          limit={maxOptions}
          nothingFoundMessage={t('key.noMatch')}
        />
      ) : null}
      <CallCode call={{ address: `${apiAddress()}/${path}`, query: Object.entries(whole), credential }} />
      <RunCall key={JSON.stringify([path, whole, caller])} path={path} query={whole} caller={caller} />
    </div>
  );
}

/** Who makes the call, and the input that says so. */
function useCaller(service: string, table: string) {
  const t = useText('calls');
  const session = useSession();
  const appsQuery = useCallingApps();
  const apps = appsQuery.data ?? [];
  const chosen = useStore(chosenApp);
  const app = apps.find(({ id }) => id === chosen);
  const mayCreate = useMayCreateKeys();
  const createKey = async () => {
    const created = await openCreateKey({ service, table });
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
