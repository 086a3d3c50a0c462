// How long the texts of system resources may be, whichever way they come in (contract/system-resources.md §0 "Lengths").
import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let system: TestSystem;
beforeEach(async () => {
  system = await startSystem();
});
afterEach(() => system.close());

const line = 'x'.repeat(256);
const note = 'x'.repeat(64 * 1024 + 1);
const body = 'x'.repeat(1024 * 1024 + 1);
const bytes = (field: string, limit: number) => `The ${field} may not be greater than ${limit} bytes.`;
const characters = (field: string, limit: number) => `The ${field} may not be greater than ${limit} characters.`;

describe('abuse: a text longer than its field takes', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['user', { email: 'jo@example.com', security_question: line }, characters('security question', 255)],
    ['user', { email: 'jo@example.com', first_name: line }, characters('first name', 255)],
    ['user', { email: `${body}@example.com` }, characters('email', 255)],
    ['app', { name: 'a', url: 'x'.repeat(2049) }, characters('url', 2048)],
    ['lookup', { name: 'a', value: body }, bytes('value', 1_048_576)],
    ['lookup', { name: 'a', value: body, private: true }, bytes('value', 1_048_576)],
    ['lookup', { name: 'a', description: 'ü'.repeat(32 * 1024 + 1) }, bytes('description', 65_536)],
    ['custom', { name: 'a', value: { text: body } }, bytes('value', 1_048_576)],
    ['cors', { path: 'a', origin: note }, characters('origin', 2048)],
    ['email_template', { name: 'a', body_html: body }, bytes('body html', 1_048_576)],
    ['email_template', { name: 'a', attachment: note }, bytes('attachment', 65_536)],
    ['role', { name: 'a', role_service_access_by_role_id: [{ filters: [note] }] }, bytes('filters', 65_536)],
    ['role', { name: 'a', lookup_by_role_id: [{ name: 'b', value: body }] }, bytes('value', 1_048_576)],
    ['service', { name: 'a', type: 'everything', config: { host: note } }, bytes('host', 65_536)],
    [
      'service',
      { name: 'a', type: 'everything', config: { host: 'h', headers: [{ name: 'b', value: note }] } },
      bytes('headers', 65_536),
    ],
    [
      'service',
      { name: 'a', type: 'everything', config: { host: 'h', public_path: Array(20).fill(note.slice(1)) } },
      bytes('config', 1_048_576),
    ],
    [
      'service',
      { name: 'a', type: 'gadget', service_doc_by_service_id: { content: body } },
      bytes('content', 1_048_576),
    ],
  ])('of %s is refused by name and limit: %#', async (resource, record, message) => {
    const { status, body: answer } = await system.ask('POST', resource, { resource: [record] });
    expect(status).toBe(400);
    expect(JSON.stringify(answer)).toContain(message);
  });

  test('is refused of an import too', async () => {
    const csv = { headers: { 'content-type': 'text/csv' } };
    const answer = await system.ask('POST', 'user', { resource: [{ email: 'jo@example.com', saml: line }] }, csv);
    expect(JSON.stringify(answer.body)).toContain(characters('saml', 255));
  });
});

describe('a text as long as its field takes', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['user', 'security_question', { email: 'jo@example.com', security_question: '😀'.repeat(255) }],
    ['lookup', 'value', { name: 'a', value: body.slice(1) }],
    ['custom', 'value', { name: 'a', value: body.slice(3) }],
    ['email_template', 'body_html', { name: 'a', body_html: body.slice(1) }],
  ])('of %s is stored whole: %s', async (resource, field, record) => {
    const { status, body: answer } = await system.ask('POST', `${resource}?fields=*`, { resource: [record] });
    expect([status, answer.resource?.[0]?.[field]]).toEqual([201, record[field]]);
  });

  test('is measured before it is encrypted', async () => {
    const hidden = { name: 'a', value: body.slice(1), private: true };
    expect((await system.ask('POST', 'lookup', { resource: [hidden] })).status).toBe(201);
  });
});

describe('a text that was stored before there was a limit', () => {
  test('is read, and stays when the rest of its record is written', async () => {
    await system.ask('POST', 'user', { resource: [{ email: 'jo@example.com' }] });
    const { db } = system.store;
    await db.updateTable('user').set({ security_question: body }).where('email', '=', 'jo@example.com').execute();
    const { body: person } = await system.ask('GET', 'user/2');
    expect(person.security_question).toBe(body);
    expect((await system.ask('PATCH', 'user/2', { phone: '1' })).status).toBe(200);
    expect((await system.ask('PUT', 'user/2', { ...person, phone: '2' })).status).toBe(200);
    expect((await system.ask('PATCH', 'user/2', { security_question: `${body}x` })).status).toBe(400);
    expect((await system.ask('GET', 'user/2')).body).toMatchObject({ phone: '2', security_question: body });
  });
});
