// Why a write touches no row although there is one: triggers and rules do something in its place, or nothing, and policies keep
// rows from being written that may be read.
import type { Write } from '../../query/index.ts';
import type { Connection } from '../network/index.ts';
import { type Plan, planOf } from './driver.ts';

// Bits of pg_trigger.tgtype: 1 for each row, 2 before, 64 instead of; 8 deletes, 16 updates. A rule `4` is for deletes, `2` for
// updates. What a view stands on has triggers and policies of its own.
const reasons = (event: number, rule: number) => `
  select case
    when c.relkind = 'v'
      or exists (select 1 from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal and t.tgenabled <> 'D'
        and (t.tgtype & ${event}) <> 0 and (t.tgtype & 1) <> 0 and (t.tgtype & 66) <> 0)
      or exists (select 1 from pg_rewrite r where r.ev_class = c.oid and r.is_instead and r.ev_type = '${rule}')
      then 'handled'
    when row_security_active(c.oid) then 'denied'
  end
  from pg_class c where c.oid = $1::regclass`;
const plans = { update: planOf(reasons(16, 2), []), delete: planOf(reasons(8, 4), []) };

export async function whyUntouched(
  connection: Connection<Plan>,
  { kind, table: { native } }: Exclude<Write, { kind: 'refuse' | 'insert' }>,
): Promise<'handled' | 'denied' | undefined> {
  const name = [native.schema, native.name].flatMap((part) => (part === null ? [] : [quote(part)])).join('.');
  const [row] = await connection.values(plans[kind], [name]);
  return (row?.[0] ?? undefined) as 'handled' | 'denied' | undefined;
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
