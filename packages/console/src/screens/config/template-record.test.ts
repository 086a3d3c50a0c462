import { expect, it } from 'vitest';
import { addressesOf, attachmentList, emptyTemplate, toForm, toRecord } from './template-record.ts';

it('begins as the documents say, and is sent with every field of theirs (CFG-028, CFG-029, OPEN-079)', () => {
  expect(emptyTemplate.name).toBe('NEW EMAIL TEMPLATE');
  expect(Object.keys(toRecord({ ...emptyTemplate, reply_to_email: 'a@b.c' }))).toEqual(
    expect.arrayContaining([
      'name',
      'description',
      'to',
      'cc',
      'bcc',
      'subject',
      'body_text',
      'body_html',
      'from_name',
      'from_email',
      'replay_to_name',
      'replay_to_email',
      'reply_to_name',
      'reply_to_email',
    ]),
  );
  expect(toRecord({ ...emptyTemplate, id: 3, reply_to_email: 'a@b.c' })).toMatchObject({
    id: 3,
    reply_to_email: 'a@b.c',
    to: null,
    body_html: null,
  });
});

it.each([
  ['a@b.c, "Doe, Jo" <jo@b.c>', ['a@b.c', '"Doe, Jo" <jo@b.c>']],
  [
    ['a@b.c', { name: 'Ada', email: 'ada@b.c' }, { email: 'x@b.c' }],
    ['a@b.c', 'Ada <ada@b.c>', 'x@b.c'],
  ],
  [[{ name: 'Doe, Jo', email: 'jo@b.c' }], ['"Doe, Jo" <jo@b.c>']],
  [null, []],
])('reads the addresses %j', (value, addresses) => expect(addressesOf(value)).toEqual(addresses));

it('sends addresses as they were meant', () => {
  const to = ['a@b.c', 'Ada <ada@b.c>', '"Doe, Jo" <jo@b.c>', '{team_mail}'];
  expect(toRecord({ ...emptyTemplate, to }).to).toEqual([
    'a@b.c',
    { name: 'Ada', email: 'ada@b.c' },
    { name: 'Doe, Jo', email: 'jo@b.c' },
    '{team_mail}',
  ]);
});

it('holds an attachment as text, and sends a list as a list', () => {
  const list = [{ service: 'files', path: 'a.pdf' }];
  const form = toForm({ id: 1, name: 'x', attachment: list });
  expect(toRecord(form).attachment).toEqual(list);
  expect(toRecord({ ...form, attachment: ' https://x/a.pdf ' }).attachment).toBe('https://x/a.pdf');
  expect(toRecord({ ...form, attachment: '' }).attachment).toBeNull();
  expect([attachmentList('[1]'), attachmentList('[{"service":"a"}]'), attachmentList('[')]).toEqual([null, null, null]);
});
