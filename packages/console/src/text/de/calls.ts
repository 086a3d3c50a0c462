// Wörter rund um Aufrufe der API: als Code, von hier gemacht, und ihre Schlüssel.
import type { calls as en } from '../en/calls.ts';

export const calls: typeof en = {
  code: {
    language: 'Sprache',
    thing: 'Code',
    label: 'Der Aufruf in {{language}}',
  },
  run: {
    button: 'Ausführen',
    try: 'Ausprobieren',
    status: 'Status {{status}}',
    time: '{{time}} ms',
    answer: 'Antwort',
    thing: 'Antwort',
    headers: 'Kopfzeilen ({{count}})',
    empty: '(kein Inhalt)',
    cut: 'Gezeigt werden die ersten 100 KB.',
  },
  key: {
    create: 'API-Schlüssel anlegen',
    intro:
      'Legt eine App mit eigenem Schlüssel an und eine Rolle, die sagt, was er darf. Beides lässt sich später ändern.',
    scope: 'Wofür ist der Schlüssel?',
    scopes: { table: 'Eine Tabelle', service: 'Ein Dienst', everything: 'Alles' },
    scopeHints: {
      table: 'Die Datensätze einer Tabelle, sonst nichts.',
      service: 'Alle Tabellen einer Datenbank oder alle Dateien eines Dateidienstes.',
      everything: 'Jede Datenbank und jeder Dateidienst, den es jetzt gibt. Nicht die Verwaltung dieser Instanz.',
    },
    service: 'Dienst',
    table: 'Tabelle',
    noMatch: 'Nichts heißt so.',
    choose: 'Bitte wählen',
    noTables: 'Noch keine Tabellen',
    access: 'Was darf er?',
    accesses: { read: 'Lesen', write: 'Lesen und schreiben' },
    accessHints: {
      read: 'Nur GET.',
      write: 'GET, POST, PUT, PATCH und DELETE: er kann auch ändern und löschen.',
    },
    name: 'Name',
    nameHint: 'So heißen die App und ihre Rolle in Listen.',
    missing: {
      name: 'Ein Name ist nötig.',
      service: 'Wählen Sie einen Dienst.',
      table: 'Wählen Sie eine Tabelle.',
    },
    unsupported: 'Dieser Server legt keine Schlüssel in einem Schritt an.',
    byHand: 'Stattdessen Rolle und App anlegen',
    madeTitle: 'API-Schlüssel „{{name}}“',
    copy: 'Schlüssel kopieren',
    may: {
      table: {
        read: 'Er darf die Datensätze von {{table}} in {{service}} lesen.',
        write: 'Er darf die Datensätze von {{table}} in {{service}} lesen und schreiben.',
      },
      service: { read: 'Er darf {{service}} lesen.', write: 'Er darf {{service}} lesen und schreiben.' },
      everything: {
        read: 'Er darf alle Datenbanken und Dateien lesen.',
        write: 'Er darf alle Datenbanken und Dateien lesen und schreiben.',
      },
    },
    kept: 'Sie finden ihn bei seiner App wieder.',
    openApp: 'App öffnen',
    firstCall: 'Ein Aufruf, der mit ihm geht',
    done: 'Fertig',
  },
  drawer: {
    open: 'API',
    title: 'Der Aufruf für {{table}}',
    titleRecord: 'Der Aufruf für einen Datensatz von {{table}}',
    text: 'Was Sie sehen, als Aufruf der API.',
    caller: 'Wer ruft auf',
    session: 'Meine Sitzung',
    sessionHint:
      'Ausführen nimmt Ihre Sitzung. Der Code braucht ein eigenes Sitzungstoken: POST {{path}} antwortet mit einem.',
    sessionToken: 'Ihr Sitzungstoken',
    asRole: 'Rolle: {{role}} (erklärt, nicht gesendet)',
    roleHint: 'Es wird nichts gesendet: gezeigt wird, was diese Rolle darf, und warum.',
    keyHint: 'Der Schlüssel dieser App und ihre Rolle entscheiden, was zurückkommt.',
    appsFailed: 'Die Apps konnten nicht geladen werden.',
    related: 'Verwandte Datensätze',
    relatedHint: 'Kommen mit jedem Datensatz mit.',
    relatedNone: 'Keine',
  },
};
