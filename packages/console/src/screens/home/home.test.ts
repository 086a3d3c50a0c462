import { describe, expect, it } from 'vitest';
import { firstCalls } from './first-calls.ts';
import { helpLinks } from './help-links.ts';

describe('help pages', () => {
  const translate = (name: string) => name.toUpperCase();

  it('are the four of the documents, where an operator set them (HOM-001, HOM-002)', () => {
    const links = Object.fromEntries(
      ['download', 'resources', 'quickstart', 'welcome'].map((name) => [name, `https://example.com/${name}`]),
    );
    expect(helpLinks(undefined, links, translate)).toEqual([
      { name: 'welcome', label: 'WELCOME', href: 'https://example.com/welcome' },
      { name: 'quickstart', label: 'QUICKSTART', href: 'https://example.com/quickstart' },
      { name: 'resources', label: 'RESOURCES', href: 'https://example.com/resources' },
      { name: 'download', label: 'DOWNLOAD', href: 'https://example.com/download' },
    ]);
    const some = helpLinks(undefined, { ...links, quickstart: null, resources: '' }, translate);
    expect(some.map(({ name }) => name)).toEqual(['welcome', 'download']);
    expect(helpLinks(undefined, {}, translate)).toEqual([]);
  });

  it('are replaced by those of the instance; a label defaults to the name (HOM-003, HOM-004)', () => {
    const own = [
      { name: 'intro', href: 'https://example.com/i' },
      { name: 'more', label: 'More', href: 'https://example.com/m' },
      { name: 'evil', href: 'javascript:alert(1)' },
    ];
    expect(helpLinks(own, { welcome: 'https://example.com/w' }, translate)).toEqual([
      { name: 'intro', label: 'intro', href: 'https://example.com/i' },
      { name: 'more', label: 'More', href: 'https://example.com/m' },
    ]);
  });
});

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
