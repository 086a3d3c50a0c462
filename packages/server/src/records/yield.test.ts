import { startSystem } from '@sluice/testkit/system';
import { expect, test } from 'vitest';

test('other calls run while a record with many nested rows is written', async () => {
  const system = await startSystem();
  let otherTurns = 0;
  let isOver = false;
  const count = () => {
    otherTurns += 1;
    if (!isOver) setImmediate(count);
  };
  try {
    await system.ask('POST', 'role', { resource: [{ name: 'a' }] });
    const rows = Array.from({ length: 400 }, (_, n) => ({ service_id: 1, component: `c${n}`, verb_mask: 1 }));
    setImmediate(count);
    const { status } = await system.ask('PATCH', 'role/1', { role_service_access_by_role_id: rows });
    expect([status, otherTurns]).toEqual([200, expect.toSatisfy((count: number) => count >= 15)]);
  } finally {
    isOver = true;
    await system.close();
  }
});
