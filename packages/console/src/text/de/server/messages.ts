// Was der Fehlerkatalog in mehreren Formen sagt, und was innerhalb seiner Meldungen steht: Prüfungen und Gründe.
import type { MessageWords } from '../../server-words.ts';
import { brokers } from './brokers.ts';
import { caches } from './caches.ts';
import { calls } from './calls.ts';
import { databases } from './databases.ts';
import { directories } from './directories.ts';
import { files } from './files.ts';
import { jobs } from './jobs.ts';
import { limits } from './limits.ts';
import { mail } from './mail.ts';
import { packages } from './packages.ts';
import { pushes } from './pushes.ts';
import { records } from './records.ts';
import { remote } from './remote.ts';
import { repositories } from './repositories.ts';
import { scripts } from './scripts.ts';

const batches: MessageWords = (
  [
    ['created', 'angelegt'],
    ['updated', 'geändert'],
    ['deleted', 'gelöscht'],
    ['retrieved', 'gelesen'],
  ] as const
).flatMap(([english, german]) => [
  [`Batch Error: Not all requested records could be ${english}.`, `Nicht alle Datensätze konnten ${german} werden.`],
  [
    `Batch Error: Not all requested records could be ${english}. All changes rolled back.`,
    `Nicht alle Datensätze konnten ${german} werden. Alle Änderungen wurden zurückgenommen.`,
  ],
]);

const forms: MessageWords = [
  ['Invalid data supplied. {{messages}}', 'Die Angaben sind ungültig. {{messages}}'],
  [
    "{{verb}} requests without a resource are not currently supported by the '{{service}}' service.",
    'Anfragen mit {{verb}} ohne Ressource werden vom Dienst „{{service}}“ derzeit nicht unterstützt.',
  ],
  [
    "Access Forbidden. {{verb}} access to service '{{service}}' is not allowed by this user's role.",
    'Zugriff verweigert. {{verb}} auf den Dienst „{{service}}“ ist mit der Rolle dieses Benutzers nicht erlaubt.',
  ],
  [
    "{{verb}} access to service '{{service}}' is not allowed by this user's role.",
    '{{verb}} auf den Dienst „{{service}}“ ist mit der Rolle dieses Benutzers nicht erlaubt.',
  ],
  [
    "Nobody can give more than their own role gives: {{verbs}} on component '{{component}}' of {{where}} is missing in yours.",
    'Niemand kann mehr geben, als die eigene Rolle gibt: {{verbs}} auf Komponente „{{component}}“ ({{where}}) fehlt in Ihrer.',
  ],
  [
    "Nobody can give more than their own role gives: {{verbs}} on component '{{component}}' of {{where}} comes with a record filter in yours, which has to be kept.",
    'Niemand kann mehr geben, als die eigene Rolle gibt: {{verbs}} auf Komponente „{{component}}“ ({{where}}) hat in Ihrer einen Datensatzfilter, der bleiben muss.',
  ],
  [
    'The database took longer than 1 second and was stopped.',
    'Die Datenbank hat länger als 1 Sekunde gebraucht und wurde abgebrochen.',
  ],
  [
    'The host of the database did not answer within 1 second.',
    'Der Host der Datenbank hat nicht innerhalb von 1 Sekunde geantwortet.',
  ],
  ['The mail could not be sent.', 'Die E-Mail ließ sich nicht versenden.'],
  ['No record of {{things}} has this id.', 'Kein Datensatz von {{things}} hat diese id.'],
];

const validations: MessageWords = [
  ['The {{field}} field is required.', 'Das Feld „{{field}}“ wird gebraucht.'],
  ['The {{field}} is required.', '„{{field}}“ wird gebraucht.'],
  ['The Template Name field is required', 'Der Name der Vorlage wird gebraucht.'],
  ['The {{field}} must be a valid email address.', '„{{field}}“ muss eine gültige E-Mail-Adresse sein.'],
  [
    'The {{field}} may not be greater than {{limit}} characters.',
    '„{{field}}“ darf höchstens {{limit}} Zeichen haben.',
  ],
  ['The {{field}} may not be greater than {{limit}} bytes.', '„{{field}}“ darf höchstens {{limit}} Byte haben.'],
  ['The {{field}} must be at least {{limit}} characters.', '„{{field}}“ muss mindestens {{limit}} Zeichen haben.'],
  ['The {{field}} has already been taken.', '„{{field}}“ ist schon vergeben.'],
  ['The {{field}} format is invalid.', 'Die Form von „{{field}}“ ist ungültig.'],
  ['The selected {{field}} is invalid.', 'Die Auswahl bei „{{field}}“ ist ungültig.'],
  ['The {{field}} confirmation does not match.', 'Die Wiederholung von „{{field}}“ stimmt nicht überein.'],
  ['The {{field}} may only contain letters and numbers.', '„{{field}}“ darf nur Buchstaben und Ziffern enthalten.'],
  [
    'The {{field}} field is required when {{other}} changes.',
    'Das Feld „{{field}}“ muss neu angegeben werden, wenn sich „{{other}}“ ändert.',
  ],
];

/** Of `POST system/app/_key`. */
const keys: MessageWords = [
  ['The access must be read or write.', 'Der Zugriff muss read oder write sein.'],
  ['The service field is required with a table.', 'Zu einer Tabelle gehört ein Dienst (service).'],
  ['The service field is required with tables.', 'Zu Tabellen gehört ein Dienst (service).'],
  ['Send a table or tables, not both.', 'Schicken Sie table oder tables, nicht beides.'],
  ['The tables must be a list of names.', 'Die Tabellen müssen eine Liste von Namen sein.'],
  ['The tables may not be more than {{limit}}.', 'Es dürfen höchstens {{limit}} Tabellen sein.'],
  [
    'A table may not be greater than {{limit}} characters.',
    'Der Name einer Tabelle darf höchstens {{limit}} Zeichen haben.',
  ],
  ['The limit must have a rate and a period.', 'Das Limit braucht eine Rate (rate) und einen Zeitraum (period).'],
  [
    'The rate must be a whole number from {{min}} to {{max}}.',
    'Die Rate muss eine ganze Zahl von {{min}} bis {{max}} sein.',
  ],
  ['There is no service that holds data.', 'Es gibt keinen Dienst mit Daten.'],
  ["There is no service '{{name}}'.", 'Den Dienst „{{name}}“ gibt es nicht.'],
  ["The service '{{name}}' is not active.", 'Der Dienst „{{name}}“ ist nicht aktiv.'],
  ["The service '{{name}}' holds no data.", 'Der Dienst „{{name}}“ enthält keine Daten.'],
  ["The service '{{name}}' has no tables.", 'Der Dienst „{{name}}“ hat keine Tabellen.'],
];

const reasons: MessageWords = [
  [
    "'{{field}}' needs a value, which {{records}} would not have",
    '„{{field}}“ braucht einen Wert, der fehlen würde ({{records}})',
  ],
  ["'{{field}}' would be too small for {{records}}", '„{{field}}“ wäre zu klein ({{records}})'],
  [
    "'{{field}}' would not be able to hold the value of {{records}}",
    '„{{field}}“ könnte Werte nicht halten ({{records}})',
  ],
  ["'{{field}}' has {{values}} more than once", '„{{field}}“ hat Werte mehr als einmal ({{values}})'],
  [
    "'{{field}}' references nothing that exists in {{records}}",
    '„{{field}}“ verweist auf nichts, was es gibt ({{records}})',
  ],
  ['it is being opened anew; please try again.', 'Er wird neu geöffnet; bitte versuchen Sie es noch einmal.'],
  ['it holds a NUL character.', 'Der Name enthält ein NUL-Zeichen.'],
  ['it is a view', 'Sie ist eine Sicht'],
  ['the database is in memory', 'Die Datenbank liegt im Arbeitsspeicher'],
  ['a call changes a table only once', 'Ein Aufruf ändert eine Tabelle nur einmal'],
  ['must be a whole number', 'muss eine ganze Zahl sein'],
  ['there are too many', 'Es sind zu viele'],
  ['Token Signature could not be verified.', 'Die Signatur des Tokens ließ sich nicht prüfen.'],
  ['Malformed token', 'fehlerhaftes Token'],
];

export const messages: MessageWords = [
  ...calls,
  ...records,
  ...databases,
  ...directories,
  ...files,
  ...jobs,
  ...packages,
  ...limits,
  ...brokers,
  ...caches,
  ...pushes,
  ...repositories,
  ...remote,
  ...scripts,
  ...mail,
  ...batches,
  ...forms,
  ...validations,
  ...keys,
  ...reasons,
];
