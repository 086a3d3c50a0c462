import { describe, expect, it } from 'vitest';
import { firstCalls } from './first-calls.ts';

describe('the first calls', () => {
  const caller = {
    address: 'https://api.example.com/api/v2',
    isAdmin: true,
    email: "o'hara@example.com",
    password: 'x',
    database: 'my db',
  };

  it('are safe to paste, whatever a name holds', () => {
    const [session, services, tables] = firstCalls(caller);
    expect(session.command).toBe(
      `curl -X POST 'https://api.example.com/api/v2/system/admin/session' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"email":"o'\\''hara@example.com","password":"x"}'`,
    );
    expect(services.command).toContain("curl 'https://api.example.com/api/v2'");
    expect(tables.command).toContain("'https://api.example.com/api/v2/my%20db/_table'");
  });

  it('sign in where the person belongs', () => {
    expect(firstCalls({ ...caller, isAdmin: false })[0].command).toContain('/user/session');
  });
});
