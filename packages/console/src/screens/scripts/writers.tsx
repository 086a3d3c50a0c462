import { useDebouncedValue } from '@mantine/hooks';
import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api } from '../../api/index.ts';
import type { ScriptLink } from '../../fields/inputs/script-files.ts';
import { useEditorAddress } from '../../frame/screen-list.ts';
import { resourceKey } from '../../list/index.ts';
import { joinList, useText } from '../../text/index.ts';
import classes from './scripts.module.css';

/** What `system/event_script/_writers` tells of a file. */
interface FileWriters {
  administrators: number;
  roles: { id: number; name: string; verbs: string[] }[];
  apps: { id: number; name: string }[];
  people: { id: number; name: string; email: string }[];
  /** The file is one of a repository, which is written at its host. */
  outside: boolean;
  has_more: boolean;
}

/** Milliseconds of rest before a changed link is asked about. */
const typingPause = 400;

/** Who can change the file that a script is linked to, and with it what the script does. Silent where that is not known. */
export function Writers({ link }: { link: ScriptLink }) {
  const t = useText('scripts');
  const addressOf = useEditorAddress();
  const [{ storage_service_id, storage_path }] = useDebouncedValue(link, typingPause);
  const { data } = useQuery({
    queryKey: [...resourceKey('event_script'), 'writers', storage_service_id, storage_path],
    queryFn: ({ signal }) =>
      api.get<FileWriters>('system/event_script/_writers', { query: { storage_service_id, storage_path }, signal }),
    enabled: storage_service_id !== null && Boolean(storage_path),
    retry: false,
  });
  if (!data) return null;
  const { administrators, roles, apps, people, outside, has_more } = data;
  return (
    <div className={classes.writers} role="status">
      <p>
        <IconUsers className={classes.smallIcon} aria-hidden />
        {outside
          ? t('writers.outside')
          : roles.length === 0
            ? t('writers.admins', { count: administrators })
            : t('writers.roles', { count: administrators })}
      </p>
      {roles.length > 0 ? (
        <ul>
          {roles.map(({ id, name, verbs }) => {
            const address = addressOf('role', id);
            return (
              <li key={id}>
                {address ? <Link to={address}>{name}</Link> : name}{' '}
                <span className={classes.soft}>{verbs.join(', ')}</span>
              </li>
            );
          })}
        </ul>
      ) : null}
      {people.length > 0 ? (
        <p>{t('writers.people', { people: joinList(people.map(({ name, email }) => name || email)) })}</p>
      ) : null}
      {apps.length > 0 ? <p>{t('writers.apps', { apps: joinList(apps.map(({ name }) => name)) })}</p> : null}
      {has_more ? <p>{t('writers.more')}</p> : null}
    </div>
  );
}
