// Notices by PostgreSQL: NOTIFY and LISTEN, on a separate connection.
import type { Client } from 'pg';
import type { Connect } from './connected.ts';

/** Connects to the PostgreSQL server for which `newClient` makes unconnected clients. */
export function connectPostgres(newClient: () => Client): Connect {
  return async ({ channels, onMessage, onLoss }) => {
    const client = newClient();
    client.on('error', onLoss);
    client.on('end', () => onLoss(new Error('the connection was closed')));
    client.on('notification', ({ payload }) => onMessage(payload ?? ''));
    const name = channels[0] ?? '';
    const close = () => void client.end().catch(() => {});
    try {
      await client.connect();
      for (const channel of channels) await client.query(`listen ${client.escapeIdentifier(channel)}`);
      // Listeners are counted by this name, so it is set last.
      await client.query("select set_config('application_name', $1, false)", [name]);
    } catch (error) {
      close();
      throw error;
    }
    // A client takes one query at a time.
    let previous: Promise<unknown> = Promise.resolve();
    const query = (text: string, values: string[] = []) => {
      const result = previous.then(() => client.query(text, values));
      previous = result.catch(() => {});
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
