// Use as it is answered: every service and every app, those without a call too.
import type { AppUse, ServiceUse } from '@sluice/contract';
import type { Db } from '../store/index.ts';
import { hourLength } from './counter.ts';

/** The use of every service within so many hours, the one that runs now included. In order of id. */
export async function readServiceUse(db: Db, hours: number): Promise<ServiceUse[]> {
  const oldest = Math.floor(Date.now() / hourLength) - hours + 1;
  const services = await db
    .selectFrom('service')
    .leftJoin('service_use', 'service_use.service_id', 'service.id')
    .select(['service.id', 'service.name', 'service_use.last_call'])
    .orderBy('service.id')
    .execute();
  const rows = await db
    .selectFrom('service_use_hour')
    .selectAll()
    .where('hour', '>=', oldest)
    .orderBy('hour')
    .orderBy('service_id')
    .execute();
  const use = new Map(
    services.map(({ id, name, last_call }): [number, ServiceUse] => [
      id,
      { id, name, calls: 0, failures: 0, last_call, hours: [] },
    ]),
  );
  for (const { service_id, hour, calls, failures } of rows) {
    const service = use.get(service_id);
    if (!service) continue;
    service.calls += calls;
    service.failures += failures;
    service.hours.push({ hour: new Date(hour * hourLength).toISOString(), calls, failures });
  }
  return [...use.values()];
}

/** The use of every key. In order of id. */
export async function readAppUse(db: Db): Promise<AppUse[]> {
  const rows = await db
    .selectFrom('app')
    .leftJoin('app_use', 'app_use.app_id', 'app.id')
    .select(['app.id', 'app.name', 'app.is_active', 'app.created_date', 'app_use.last_call', 'app_use.calls'])
    .orderBy('app.id')
    .execute();
  return rows.map(({ id, name, is_active, created_date, last_call, calls }) => ({
    id,
    name,
    is_active: is_active === 1,
    created_date,
    last_used: last_call,
    calls: calls ?? 0,
  }));
}
