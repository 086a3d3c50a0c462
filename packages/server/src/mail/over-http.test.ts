// Mails through the real product, read back from a real mail server.
import { type MailServer, startMailServer } from '@sluice/testkit/mail-server';
import { type AskOptions, startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let platform: TestPlatform;
let server: MailServer;

beforeAll(async () => {
  server = await startMailServer();
  platform = await startPlatform({ mailFrom: 'Shop <shop@example.com>' });
  await platform.create('service', {
    ...{ name: 'post', label: 'Post', type: 'smtp_email', is_active: true },
    config: {
      ...{ host: 'localhost', port: server.port },
      parameters: [
        { name: 'city', value: 'Ulm', active: true },
        { name: 'subject', value: 'from the service', active: true },
        { name: 'off', value: 'never', active: false },
      ],
    },
  });
});
afterAll(async () => {
  await platform.stop();
  await server.stop();
});
beforeEach(() => {
  server.fail(undefined);
  server.clear();
});

const send = (body: unknown, query = '', options: AskOptions = {}) =>
  platform.ask('POST', `post${query}`, { body, ...options });

/** Sends a mail that has to arrive, and answers it. */
async function sent(body: unknown, query = '', options: AskOptions = {}) {
  const { status, text } = await send(body, query, options);
  expect([status, text]).toEqual([200, expect.stringContaining('count')]);
  const [mail, ...others] = await server.arrived(1);
  expect(others).toEqual([]);
  return mail!;
}

const plain = { to: 'jo@example.com', subject: 'Hello', body_text: 'Hi' };

test('a mail is sent at once, and answers how many recipients it has', async () => {
  const { status, body } = await send({
    ...plain,
    cc: [{ name: 'Cy', email: 'cy@example.com' }, 'di@example.com'],
    bcc: { email: 'secret@example.com' },
    body_html: '<p>Hi</p>',
    ...{
      from_name: 'Me, "myself"',
      from_email: 'me@example.com',
      reply_to_name: 'Re',
      reply_to_email: 're@example.com',
    },
  });
  expect([status, body]).toEqual([200, { count: 4 }]);
  const [{ parsed, raw, ...envelope }] = (await server.arrived(1)) as [Awaited<ReturnType<typeof sent>>];
  expect(envelope).toMatchObject({
    from: 'me@example.com',
    recipients: ['jo@example.com', 'cy@example.com', 'di@example.com', 'secret@example.com'],
  });
  expect(parsed).toMatchObject({
    subject: 'Hello',
    from: { name: 'Me, "myself"', address: 'me@example.com' },
    replyTo: [{ name: 'Re', address: 're@example.com' }],
    to: [{ address: 'jo@example.com' }],
    cc: [
      { name: 'Cy', address: 'cy@example.com' },
      { name: '', address: 'di@example.com' },
    ],
    text: expect.stringContaining('Hi'),
    html: expect.stringContaining('<p>Hi</p>'),
  });
  expect(raw).toMatch(/multipart\/alternative/);
  expect(raw).not.toMatch(/secret@/);
});

test('what names and addresses look like comes out as it was sent', async () => {
  const name = `${'ü, ("x") '.repeat(20)}😀.pdf`;
  await platform.ask('PUT', `files/${encodeURIComponent(name)}`, {
    body: Buffer.from('%PDF'),
    headers: { 'content-type': 'application/pdf' },
  });
  const { parsed } = await sent({
    ...plain,
    to: [{ name: 'Jörg "J", Müller', email: "o'jo+x@example.com" }],
    subject: 'Grüße aus Ulm und Ångström für alle',
    from_email: 'me@example.com',
    from_name: 'Doe, "Jo" (Ü)',
    attachment: { service: 'files', path: name },
  });
  expect(parsed.to).toEqual([{ name: 'Jörg "J", Müller', address: "o'jo+x@example.com" }]);
  expect(parsed.from).toEqual({ name: 'Doe, "Jo" (Ü)', address: 'me@example.com' });
  expect(parsed.subject).toBe('Grüße aus Ulm und Ångström für alle');
  expect(parsed.attachments).toEqual([expect.objectContaining({ filename: name, mimeType: 'application/pdf' })]);
});

test('a mail without a sender has that of the server', async () => {
  const { from, parsed } = await sent({ ...plain, from_name: '' });
  expect([from, parsed.from]).toEqual(['shop@example.com', { name: 'Shop', address: 'shop@example.com' }]);
});

test('the text of a mail that has none is made of its HTML', async () => {
  const html =
    '<style>p { color: red }</style><p>Tom &amp; &lt;Jo&gt;</p><script>x()</script><a href="https://x.example/?a=1&amp;b=2">Confirm</a>';
  const { parsed } = await sent({ to: 'jo@example.com', body_html: html });
  expect(parsed.text?.trim()).toBe('Tom & <Jo>\nConfirm (https://x.example/?a=1&b=2)');
});

test.each([
  ['nothing', undefined, 'No valid data in request.'],
  ['an empty object', {}, 'No valid data in request.'],
  ['a list', [plain], 'No valid data in request.'],
  ['no recipient', { ...plain, to: undefined }, 'Email can not be empty.'],
  ['an empty recipient', { ...plain, to: '' }, 'Email can not be empty.'],
  ['an empty list', { ...plain, to: [] }, 'Email can not be empty.'],
  ['a bad recipient', { ...plain, to: 'x' }, "Invalid email - 'x'."],
  ['a recipient without an address', { ...plain, to: { name: 'Jo', email: '' } }, "Invalid email - ''."],
  ['a placeholder that is not filled', { ...plain, cc: '{nobody}' }, "Invalid email - '{nobody}'."],
  ['neither body nor attachment', { to: 'jo@example.com' }, 'The email has neither a body nor an attachment.'],
  ['a body that is no text', { ...plain, body_html: { path: '/etc/passwd' } }, 'The body_html must be a text.'],
  ['two senders', { ...plain, from_email: 'a@b.c, d@e.f' }, 'The from_email takes one address.'],
  ['too many recipients', { ...plain, bcc: Array(100).fill('a@b.c') }, 'An email can have 100 recipients at most.'],
])('%s is a 400', async (_, body, message) => {
  const { status, body: answer } = await send(body);
  expect([status, answer.error.message]).toEqual([400, message]);
  expect(server.mails()).toEqual([]);
});

test('an unknown template is a 404', async () => {
  const message = async (query: string, body: object = plain) => {
    const { status, body: answer } = await send(body, query);
    return [status, answer.error.message];
  };
  expect(await message('?template=none')).toEqual([404, "Email Template 'none' not found"]);
  expect(await message('?template_id=99')).toEqual([404, "Email Template id '99' not found"]);
  expect(await message('', { ...plain, template: 'none' })).toEqual([404, "Email Template 'none' not found"]);
  expect(await message('', { ...plain, template_id: '1 or 1' })).toEqual([404, "Email Template id '1 or 1' not found"]);
});

test('a service of mails takes POST alone, and calls itself mail', async () => {
  for (const verb of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    const { status, headers, body } = await platform.ask(verb, 'post?as_access_list=true');
    const message = `${verb} requests without a resource are not currently supported by the 'mail' service.`;
    expect([status, headers.allow, body.error.message]).toEqual([405, 'POST', message]);
  }
});

test('the port is a text that reads as a number', async () => {
  const { body } = await platform.ask('GET', 'system/service?filter=name%3Dpost');
  expect(body.resource[0].config).toMatchObject({ port: server.port, encryption: null, ca_certificate: null });
  const { body: type } = await platform.ask('GET', 'system/service_type/smtp_email');
  expect(type).toMatchObject({ label: 'SMTP', group: 'Email' });
  expect(type.config_schema.find(({ name }: { name: string }) => name === 'port')).toMatchObject({
    type: 'string',
    default: '587',
  });
});

test('the test of a service connects', async () => {
  const { id } = (await platform.ask('GET', 'system/service?filter=name%3Dpost')).body.resource[0];
  const before = server.connections;
  expect((await platform.ask('POST', `system/service/${id}/_test`)).body).toEqual({ success: true });
  expect(server.connections).toBe(before + 1);
  const { status, body } = await platform.ask('POST', `system/service/${id}/_test`, {
    body: { config: { port: '1' } },
  });
  expect([status, body.error.message]).toEqual([503, 'The mail server is not available: it refused the connection']);
});

test.each([
  ['port', '0', 'The port must be a number from 1 to 65535.'],
  ['port', 'smtp', 'The port must be a number from 1 to 65535.'],
  ['encryption', 'starttls', 'The encryption must be tls or ssl, or blank.'],
  ['ca_certificate', '/etc/passwd', 'The ca certificate must be a certificate as PEM text.'],
  ['host', '', 'The host field is required.'],
])('a service with %s %j is not saved', async (field, value, message) => {
  const config = { host: 'localhost', [field]: value };
  const { body } = await platform.ask('POST', 'system/service', {
    body: { resource: [{ name: 'other', label: 'x', type: 'smtp_email', config }] },
  });
  const { error } = body;
  expect((error.context.resource?.[0] ?? error).message).toBe(`Invalid data supplied. ${message}`);
});

// ---- templates and placeholders ----

const addTemplate = (set: object) => platform.create('email_template', set as Record<string, unknown>);

test('fields of the service, the template and the call: the later ones win', async () => {
  const { id } = await addTemplate({
    name: 'welcome',
    to: ['{first_name}@example.com'],
    subject: 'To {first_name} in {city}',
    body_text: 'A {word} for {first_name}, {off}, {subject}',
    from_email: 'template@example.com',
    from_name: 'Template',
  });
  const byName = await sent({ first_name: 'jo', word: 'mail' }, '?template=welcome');
  expect(byName.parsed).toMatchObject({
    subject: 'To jo in Ulm',
    text: 'A mail for jo, {off}, To {first_name} in {city}\n',
    from: { name: 'Template', address: 'template@example.com' },
  });
  expect(byName.recipients).toEqual(['jo@example.com']);
  server.clear();
  const byId = await sent({ template_id: id, to: 'al@example.com', subject: '{city}', city: 'Bonn', first_name: 7 });
  expect(byId).toMatchObject({ recipients: ['al@example.com'], parsed: { subject: 'Bonn' } });
  expect(byId.parsed.text).toBe('A {word} for 7, {off}, {city}\n');
  server.clear();
  const bare = await sent({ to: 'al@example.com', body_text: 'x' });
  expect(bare.parsed.subject).toBe('from the service');
});

test('lookups come first, modifiers change values, the rest stays as it was written', async () => {
  await platform.create('lookup', { name: 'team', value: 'red & <b>' });
  const { parsed } = await sent({
    ...plain,
    word: ' ä b ',
    team: 'blue',
    'user.email': 'no',
    subject: '{user.email} {strtoupper(word)}',
    body_html:
      '<i>{team} {urlencode(word)} {rawurlencode(word)} {base64_encode(word)} {exec(word)} {none} {trim(word)}</i>',
  });
  expect(parsed.subject).toBe('ada@example.com  Ä B');
  expect(parsed.html?.trim()).toBe('<i>red & <b> +%C3%A4+b+ %20%C3%A4%20b%20 IMOkIGIg {exec(word)} {none} ä b</i>');
});

// ---- attachments ----

test('attachments are files of services, and parts of a form', async () => {
  await platform.ask('PUT', 'files/a.txt', { body: 'first', headers: { 'content-type': 'text/plain' } });
  const stored = await sent({
    to: 'jo@example.com',
    attachment: [
      { service: 'files', path: 'a.txt' },
      { service: 'files', path: '/a.txt' },
    ],
  });
  expect(
    stored.parsed.attachments.map(({ filename, content }) => [filename, String(Buffer.from(content as ArrayBuffer))]),
  ).toEqual([
    ['a.txt', 'first'],
    ['a.txt', 'first'],
  ]);
  server.clear();
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...plain, to: 'jo@example.com, al@example.com' })) form.set(name, value);
  form.append('file', new Blob(['one'], { type: 'text/html' }), '../../one.html');
  form.append('attachment', new Blob([new Uint8Array([0, 255])], { type: 'message/rfc822' }), 'two.eml');
  const answer = await fetch(`${platform.url}/api/v2/post`, {
    method: 'POST',
    body: form,
    headers: { 'x-dreamfactory-session-token': platform.adminToken },
  });
  expect(await answer.json()).toEqual({ count: 2 });
  const [mail] = await server.arrived(1);
  expect(
    mail?.parsed.attachments.map(({ filename, mimeType, disposition }) => [filename, mimeType, disposition]),
  ).toEqual([
    ['one.html', 'text/html', 'attachment'],
    ['two.eml', 'application/octet-stream', 'attachment'],
  ]);
  expect([...new Uint8Array(mail?.parsed.attachments[1]?.content as ArrayBuffer)]).toEqual([0, 255]);
});

test.each([
  ['an address of this machine', 'http://127.0.0.1:1/a.pdf', 500, 'Failed to import attachment file from url. '],
  [
    'a missing file',
    { service: 'files', path: 'none' },
    500,
    'Failed to get attachment file from storage service. The',
  ],
  [
    'a folder',
    { service: 'files', path: '' },
    500,
    'Failed to get attachment file from storage service. It must be a file.',
  ],
  [
    'an unknown service',
    { service: 'none', path: 'a' },
    500,
    'Failed to get attachment file from storage service. Could',
  ],
  ['too many', Array(21).fill({ service: 'files', path: 'a' }), 400, 'An email can have 20 attachments at most.'],
])('%s as an attachment is refused, and nothing is sent', async (_, attachment, status, message) => {
  const answer = await send({ ...plain, attachment });
  expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining(message)]);
  expect(server.mails()).toEqual([]);
});

test('abuse: an attachment is no file of the server and no content of its own', async () => {
  const bad = ['/etc/passwd', 'file:///etc/passwd', 'data:text/plain,x', { path: '/etc/passwd' }, { content: 'x' }, 5];
  for (const attachment of [...bad, [{ raw: 'x' }], [['/etc/passwd']], { href: 'http://127.0.0.1' }]) {
    const { status, body } = await send({ ...plain, attachment });
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringMatching(/^An attachment is an address that begins/),
    ]);
  }
  const { raw } = await sent({
    ...plain,
    ...{
      raw: 'x',
      envelope: { to: 'evil@example.com' },
      headers: { 'X-Evil': '1' },
      alternatives: [{ path: '/etc/passwd' }],
    },
    ...{
      list: { help: 'x' },
      dkim: {},
      icalEvent: 'x',
      sender: 'evil@example.com',
      inReplyTo: 'x',
      attachments: [{ path: '/etc/passwd' }],
    },
  });
  expect(raw).not.toMatch(/evil|root:/i);
});

test('abuse: attachments have bounds, whatever they come as', async () => {
  await platform.ask('PUT', 'files/large.bin', { body: Buffer.alloc(6 * 1024 * 1024) });
  const large = { service: 'files', path: 'large.bin' };
  const stored = await send({ ...plain, attachment: [large, large] });
  expect([stored.status, stored.body.error.message]).toEqual([413, expect.stringContaining('10485760 bytes together')]);
  const form = new FormData();
  form.set('to', 'jo@example.com');
  form.append('file', new Blob([Buffer.alloc(11 * 1024 * 1024)]), 'x');
  const answer = await fetch(`${platform.url}/api/v2/post`, {
    method: 'POST',
    body: form,
    headers: { 'x-dreamfactory-session-token': platform.adminToken },
  });
  expect(answer.status).toBe(413);
  expect(server.mails()).toEqual([]);
});

// ---- what callers write ----

test('abuse: no header comes of what a caller writes', async () => {
  const line = 'x\r\nBcc: evil@example.com\r\nX-Evil: 1\r\n\r\nbody';
  const { raw, parsed, recipients } = await sent({
    ...plain,
    to: { name: line, email: 'jo@example.com' },
    subject: `Hello {word}`,
    word: line,
    ...{ from_name: line, from_email: 'me@example.com', reply_to_name: line, reply_to_email: 're@example.com' },
  });
  expect(recipients).toEqual(['jo@example.com']);
  expect(raw).not.toMatch(/^(bcc|x-evil):/im);
  expect(parsed.headers.map(({ key }) => key).sort()).toEqual(
    'content-transfer-encoding content-type date from message-id mime-version reply-to subject to'.split(' '),
  );
  expect(parsed.subject).toBe('Hello x Bcc: evil@example.com X-Evil: 1 body');
  for (const field of ['from_email', 'reply_to_email', 'to', 'cc', 'bcc'])
    for (const address of [
      `a@b.c\r\nBcc: evil@example.com`,
      'a@b.c>\r\nRCPT TO:<evil@example.com',
      'a@b.c\0',
      'a@\u202eb.c',
    ]) {
      const { status, body } = await send({ ...plain, [field]: address });
      expect([field, status, body.error.message]).toEqual([field, 400, expect.stringMatching(/^Invalid email - '/)]);
    }
});

test('abuse: mail goes to the addresses that were written, and to no other', async () => {
  const bad = [
    '"x@evil.example y"@good.example',
    'a@b.example <c@d.example',
    'a@x.example <b@y.example> c@z.example',
    'a@b.example(comment)',
    'friends: a@b.example;',
    'a@[127.0.0.1]',
    '@b.example',
    'a@b@c.example',
    'a..b@c.example',
    '"a@b.example',
  ];
  for (const to of bad)
    for (const form of [to, [to], { name: 'x', email: to }]) {
      const { status, body } = await send({ ...plain, to: form });
      expect([form, status, body.error.message]).toEqual([form, 400, expect.stringMatching(/^Invalid email - '/)]);
    }
  const two = { name: 'x', email: 'a@b.example, c@d.example' };
  expect((await send({ ...plain, to: two })).status).toBe(400);
  const named = { name: 'evil@example.com', email: 'jo@example.com' };
  expect((await sent({ ...plain, to: named })).recipients).toEqual(['jo@example.com']);
  expect(server.mails()).toHaveLength(1);
});

test('abuse: a private lookup stays as it was written, through every modifier', async () => {
  await platform.create('lookup', { name: 'dbpass', value: 'hunter2', private: true });
  const text = '{dbpass} {trim(dbpass)} {base64_encode(dbpass)}';
  const { parsed, raw } = await sent({
    ...plain,
    subject: text,
    body_text: text,
    from_name: text,
    from_email: 'a@b.c',
  });
  expect([parsed.subject, parsed.text?.trim(), parsed.from?.name]).toEqual([text, text, text]);
  expect(raw).not.toMatch(/hunter2/);
});

test('abuse: placeholders that multiply are stopped', async () => {
  const { status, body } = await send({ ...plain, body_text: '{long}'.repeat(100), long: 'x'.repeat(100_000) });
  expect([status, body.error.message]).toEqual([400, 'The email is longer than 4194304 characters.']);
});

test('a role needs POST on the service, and GET on the files it attaches', async () => {
  const services = (await platform.ask('GET', 'system/service?fields=id,name')).body.resource;
  const idOf = (name: string) => services.find((service: { name: string }) => service.name === name).id;
  const access = (service: string, mask: number) => ({
    ...{ service_id: idOf(service), component: '*', verb_mask: mask, requestor_mask: 1, filters: [], filter_op: 'AND' },
  });
  const role = async (name: string, rows: object[]) => {
    const { id } = await platform.create(
      'role',
      { name, is_active: true, role_service_access_by_role_id: rows },
      'role_service_access_by_role_id',
    );
    const app = await platform.create('app', { name, is_active: true, type: 0, role_id: id });
    return (app as unknown as { api_key: string }).api_key;
  };
  await platform.ask('PUT', 'files/own.txt', { body: 'x' });
  const attachment = { service: 'files', path: 'own.txt' };
  const [sender, reader, none] = [
    await role('sender', [access('post', 2)]),
    await role('sender-reader', [access('post', 2), access('files', 1)]),
    await role('none', [access('files', 1)]),
  ];
  const ask = (key: string, body: object) => send(body, '', { token: null, key });
  expect((await ask(none, plain)).status).toBe(401);
  expect((await ask(sender, plain)).status).toBe(200);
  const refused = await ask(sender, { ...plain, attachment });
  expect([refused.status, refused.body.error.message]).toEqual([
    500,
    expect.stringContaining('Failed to get attachment file from storage service. Unauthorized.'),
  ]);
  expect((await ask(reader, { ...plain, attachment })).status).toBe(200);
});
