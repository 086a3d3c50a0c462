// Notices by PostgreSQL: NOTIFY and LISTEN, on one connection of the bus's own.
import type { Client } from 'pg';
import type { Connect } from './connected.ts';

/** Opens lines to the PostgreSQL server that `newClient` makes unconnected clients for. */
export function postgresLines(newClient: () => Client): Connect {
  return async ({ channels, heard, lost }) => {
    const client = newClient();
    client.on('error', lost);
    client.on('end', () => lost(new Error('the connection was closed')));
    client.on('notification', ({ payload }) => heard(payload ?? ''));
    const name = channels[0] ?? '';
    const close = () => void client.end().catch(() => {});
    try {
      await client.connect();
      for (const channel of channels) await client.query(`listen ${client.escapeIdentifier(channel)}`);
      // Who listens is counted by this name, so it comes last.
      await client.query("select set_config('application_name', $1, false)", [name]);
    } catch (error) {
      close();
      throw error;
    }
    // A client takes one query at a time.
    let before: Promise<unknown> = Promise.resolve();
    const query = (text: string, values: string[] = []) => {
      const result = before.then(() => client.query(text, values));
      before = result.catch(() => {});
      return result;
    };
    return {
      async send(channel, text) {
        const { rows } = await query(notify, [channel, text, name]);
        return rows[0].receivers as number;
      },
      ping: () => query('select 1'),
      close,
    };
  };
}

const notify = `select pg_notify($1, $2), (select count(*)::int from pg_stat_activity
  where datname = current_database() and application_name = $3) as receivers`;
