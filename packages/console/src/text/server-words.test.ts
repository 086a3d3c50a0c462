import { errors } from '@sluice/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApiError, errorFromResponse } from '../api/errors.ts';
import { messages } from './de/server/messages.ts';
import { chooseLanguage, groupText, loadAllText, serverText, translateType } from './index.ts';

beforeEach(async () => {
  await loadAllText();
  await chooseLanguage('de');
});
afterEach(async () => {
  await chooseLanguage('en');
});

/** Messages that are made in several forms, which are listed by themselves, and those that are somebody else's text. */
const otherwise = ['access.exceedsOwn', 'record.invalid', 'record.batch', 'record.batchFault', 'service.notRows'];
const ofOthers = ['record.database', 'remote.refused', 'repository.refused', 'script.threw', 'validation.told'];

const blanksOf = (template: string) => [...template.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();
const anyValue = new Proxy({}, { get: (_, name) => `{{${String(name)}}}` });

const catalogue = Object.entries(errors)
  .filter(([key]) => ![...otherwise, ...ofOthers].includes(key))
  .map(([key, { message }]) => [key, typeof message === 'string' ? message : message(anyValue as never)] as const);

it.each(catalogue)('the error %s has German words', (_key, english) => {
  const german = new Map(messages).get(english);
  expect(german).toBeTruthy();
  expect(blanksOf(german!)).toEqual(blanksOf(english));
});

it('no message is translated that no server sends', () => {
  const ours = new Set(catalogue.map(([, english]) => english));
  const own = [...errorsInForms, ...partsOfMessages];
  expect(messages.filter(([english]) => !ours.has(english) && !own.some((form) => english.includes(form)))).toEqual([]);
});
/** What forms and parts have in common with what the server writes; messages.ts lists them. */
const errorsInForms = [
  'The mail could not be sent.',
  'Batch Error:',
  'Invalid data supplied.',
  'Nobody can give more',
  '1 second',
  'requests without a resource',
];
const partsOfMessages = [
  "access to service '",
  ' has this id',
  'field',
  'Field',
  'must',
  'it ',
  'there are',
  'a call',
  'the database is',
  ...['the connection', 'the name of its host', 'there is no way'],
  'oken',
  "'{{field}}'",
  // Of the configurations of SOAP and Logstash services.
  ...[
    'The wsdl is required',
    'The type of a header',
    'The data of a WSSE header',
    'The protocol is',
    'The level of an event',
  ],
  // Of `POST system/app/_key`.
  'There is no service',
  "The service '{{name}}'",
  'Send a table',
  'may not be',
];

it.each([
  ["Record with identifier '77' not found.", 'Einen Datensatz mit der Kennung „77“ gibt es nicht.'],
  [
    'The database took longer than 1 second and was stopped.',
    'Die Datenbank hat länger als 1 Sekunde gebraucht und wurde abgebrochen.',
  ],
  [
    'Invalid data supplied. The name has already been taken. The security answer may not be greater than 8 characters.',
    'Die Angaben sind ungültig. „name“ ist schon vergeben. „security answer“ darf höchstens 8 Zeichen haben.',
  ],
  [
    "Service 'a' is not available: it is being opened anew; please try again.",
    'Der Dienst „a“ ist nicht verfügbar: Er wird neu geöffnet; bitte versuchen Sie es noch einmal.',
  ],
  ['A sentence of nobody.', 'A sentence of nobody.'],
])('%s', (english, german) => expect(serverText(english)).toBe(german));

it('an error says it in the reader’s language, also of fields, and keeps what the server said', () => {
  const message = 'Invalid data supplied. The name field is required.';
  const error = errorFromResponse(
    400,
    { error: { message, context: { name: ['The name field is required.'] } } },
    null,
  );
  expect(error).toBeInstanceOf(ApiError);
  expect(error.messages()).toEqual(['Die Angaben sind ungültig. Das Feld „name“ wird gebraucht.']);
  expect(error.fieldMessages()).toEqual({ name: ['Das Feld „name“ wird gebraucht.'] });
  expect(error.original).toBe(message);
});

it('a long message that fits nothing is looked through at once', () => {
  const nasty = `x Service '${"' is not available: '".repeat(90)}`;
  expect(serverText(nasty.slice(0, 1900))).toBe(nasty.slice(0, 1900));
});

it('types and groups of other servers keep their words', () => {
  const type = { name: 'constructor', label: 'Own', description: 'Of its own.', group: 'toString', config_schema: [] };
  expect(translateType(type as never)).toEqual(type);
  expect([groupText('Database'), groupText('toString')]).toEqual(['Datenbank', 'toString']);
});
