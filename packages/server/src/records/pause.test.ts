import { countRounds } from '@sluice/testkit/rounds';
import { startSystem } from '@sluice/testkit/system';
import { expect, test } from 'vitest';

test('abuse: others come in between while a record with many nested rows is written', async () => {
  const system = await startSystem();
  const rounds = countRounds();
  try {
    await system.ask('POST', 'role', { resource: [{ name: 'a' }] });
    const rows = Array.from({ length: 400 }, (_, n) => ({ service_id: 1, component: `c${n}`, verb_mask: 1 }));
    const before = rounds.current;
    const { status } = await system.ask('PATCH', 'role/1', { role_service_access_by_role_id: rows });
    expect(status).toBe(200);
    expect(rounds.current - before).toBeGreaterThan(3);
  } finally {
    rounds.stop();
    await system.close();
  }
});
