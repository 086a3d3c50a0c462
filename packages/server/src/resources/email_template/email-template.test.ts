import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, expect, test } from 'vitest';

let system: TestSystem;
let ask: TestSystem['ask'];

beforeEach(async () => {
  system = await startSystem();
  ask = system.ask;
});
afterEach(() => system.close());

const add = async (set: object) =>
  (await ask('POST', 'email_template?fields=*', { resource: [{ name: 'hello', ...set }] })).body;

test('three are there from the start; new ones come after', async () => {
  const { resource } = (await ask('GET', 'email_template')).body;
  expect(resource.map((template: { id: number; name: string }) => [template.id, template.name])).toEqual([
    [1, 'User Invite Default'],
    [2, 'User Registration Default'],
    [3, 'Password Reset Default'],
  ]);
  for (const template of resource) {
    expect(template).toMatchObject({
      body_text: null,
      to: null,
      reply_to_email: null,
      defaults: null,
      created_by_id: null,
    });
    for (const placeholder of ['{first_name}', '{link}', '{confirm_code}'])
      expect(template.body_html).toContain(placeholder);
    expect([template.from_name, template.from_email].every(Boolean)).toBe(true);
  }
  expect((await add({})).resource[0].id).toBe(4);
});

test('one that was deleted stays so', async () => {
  await ask('DELETE', 'email_template/2');
  const { seed } = await import('../../store/seed.ts');
  await seed(system.store, { adminAppKey: '' });
  expect((await ask('GET', 'email_template?as_list=true')).body.resource).toEqual([1, 3]);
});

test.each([
  ['a text', 'jo@x.org', ['jo@x.org']],
  ['a comma list', 'jo@x.org, "Doe, Al" <al@x.org>,', ['jo@x.org', '"Doe, Al" <al@x.org>']],
  ['a list', ['jo@x.org', '{email}'], ['jo@x.org', '{email}']],
  ['names and addresses', [{ name: 'Jo', email: 'jo@x.org', more: 1 }], [{ name: 'Jo', email: 'jo@x.org' }]],
  ['nothing', '', null],
  ['an empty list', [], null],
  ['null', null, null],
])('addresses are sent as %s and answered as a list', async (_, input, stored) => {
  const { resource } = await add({ to: input, cc: input, bcc: input });
  expect(resource[0]).toMatchObject({ to: stored, cc: stored, bcc: stored });
  expect((await ask('GET', 'email_template/4')).body).toMatchObject({ to: stored, cc: stored, bcc: stored });
});

test.each([
  ['to', [1], 'The to must be a list of addresses.'],
  ['cc', [{ name: 'no address' }], 'The cc must be a list of addresses.'],
  ['bcc', Array(101).fill('jo@x.org'), 'The bcc may not have more than 100 items.'],
  ['attachment', [{ service: 'files' }], 'The attachment must be a path, or a list of services and paths.'],
  ['name', '', 'The Template Name field is required'],
  ['name', 'User invite default', 'The name has already been taken.'],
  ['subject', 's'.repeat(81), 'The subject may not be greater than 80 characters.'],
])('%s %j is refused in place', async (field, value, text) => {
  const { error } = await add({ [field]: value });
  expect(error.context.resource[0]).toMatchObject({
    message: `Invalid data supplied. ${text}`,
    context: { [field]: [text] },
  });
});

test('an attachment is a path or a list of services and paths', async () => {
  expect((await add({ attachment: 'files/a.pdf' })).resource[0].attachment).toBe('files/a.pdf');
  const list = [{ service: 'files', path: 'a.pdf' }];
  const { body } = await ask('PATCH', 'email_template/4?fields=attachment', { attachment: list });
  expect(body.attachment).toEqual(list);
});

test('the reply address is also taken in the spelling of the documents', async () => {
  const { resource } = await add({ replay_to_name: 'Jo', reply_to_name: 'Al' });
  expect(resource[0]).toMatchObject({
    reply_to_name: 'Al',
    replay_to_name: 'Jo',
    replay_to_email: null,
    defaults: null,
  });
});

test('defaults are a list of names and values', async () => {
  const defaults = [{ name: 'team', value: 'Red' }];
  const { resource } = await add({ defaults });
  expect(resource[0].defaults).toEqual(defaults);
  const changed = async (value: unknown) => {
    const { status, body } = await ask('PATCH', `email_template/${resource[0].id}?fields=defaults`, {
      defaults: value,
    });
    return status === 200 ? body.defaults : body.error.message;
  };
  expect(await changed([])).toEqual([]);
  for (const wrong of ['x', [{ value: 'x' }], [{ name: 'x', value: {} }], Array(101).fill(defaults[0])])
    expect(await changed(wrong)).toContain('The defaults must be a list of names and values.');
});
