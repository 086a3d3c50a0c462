// Meldungen des Fehlerkatalogs, Englisch und Deutsch: job.
import type { MessageWords } from '../../server-words.ts';

export const jobs: MessageWords = [
  [
    "A job '{{name}}' may work on {{limit}} bytes at most.",
    'Ein Auftrag „{{name}}“ darf höchstens {{limit}} Bytes bearbeiten.',
  ],
  ['{{limit}} jobs are waiting, as many as may wait.', '{{limit}} Aufträge warten bereits, mehr dürfen nicht warten.'],
  [
    "The job '{{name}}' is being worked on: wait until it has ended.",
    'Der Auftrag „{{name}}“ läuft gerade: Warten Sie, bis er beendet ist.',
  ],
  [
    "The job '{{name}}' is done again and again, and can not be removed.",
    'Der Auftrag „{{name}}“ läuft immer wieder und lässt sich nicht entfernen.',
  ],
];
