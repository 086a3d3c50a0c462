// `platform.store`: what scripts keep, for all processes, in the store (contract §4).
import { createHash } from 'node:crypto';
import { fail } from '@sluice/contract';
import type { Store } from '../store/index.ts';
import type { ScriptStore } from './engine.ts';

/** Milliseconds that a value is kept. */
const lifetime = 15 * 60_000;
const maxValue = 1024 * 1024;

/** The values of one script; those of the steps of an event are shared, those of other events are not. */
export function valuesOfScript({ db }: Pick<Store, 'db'>, name: string): ScriptStore {
  const owner = name.replace(/\.(pre_process|post_process|queued)$/, '');
  const keyOf = (key: string) => createHash('sha256').update(`${owner}\0${key}`).digest('hex');
  return {
    async get(key) {
      const row = await db
        .selectFrom('script_value')
        .select('value')
        .where('key', '=', keyOf(key))
        .where('expires_at', '>', new Date().toISOString())
        .executeTakeFirst();
      return row && JSON.parse(row.value);
    },
    async set(key, value) {
      const text = JSON.stringify(value);
      if (text.length > maxValue) throw fail('script.valueTooLong', { name, limit: maxValue });
      const row = { value: text, expires_at: new Date(Date.now() + lifetime).toISOString() };
      const updated = await db.updateTable('script_value').set(row).where('key', '=', keyOf(key)).executeTakeFirst();
      if (updated.numUpdatedRows > 0n) return;
      await db
        .insertInto('script_value')
        .values({ key: keyOf(key), ...row })
        .execute()
        // Another run made it meanwhile.
        .catch(() => db.updateTable('script_value').set(row).where('key', '=', keyOf(key)).execute());
    },
  };
}

export const purgeScriptValues = async ({ db }: Pick<Store, 'db'>): Promise<void> =>
  void (await db.deleteFrom('script_value').where('expires_at', '<', new Date().toISOString()).execute());
