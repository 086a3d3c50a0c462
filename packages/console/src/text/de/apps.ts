// Wörter des Bildschirms Apps.
import type { apps as en } from '../en/apps.ts';

export const apps: typeof en = {
  title: 'Apps',
  sampleApps: 'Beispiel-Apps',
  manage: 'Apps verwalten',
  thing: 'App',
  things: 'Apps',
  empty: 'Sie haben noch keine Apps!',
  emptyHint:
    'Eine App ist ein Programm, das diese Plattform benutzt: eine Webseite, ein Telefon, ein Gerät. Sie bekommt einen Schlüssel und kann eine Rolle haben. Legen Sie hier eine an.',
  emptyAction: 'App anlegen!',
  create: 'Anlegen',
  columns: {
    id: 'ID',
    name: 'Name',
    role: 'Rolle',
    key: 'API-Schlüssel',
    description: 'Beschreibung',
    active: 'Aktiv',
  },
  launch: '{{name}} öffnen',
  notLaunched: {
    inactive: '{{name}} ist inaktiv.',
    noPage: '{{name}} hat keine Seite zum Öffnen.',
  },
  deleted: 'Die App wurde gelöscht.',
  deletedMany: 'Die Apps wurden gelöscht.',
  deleteMany: 'Ausgewählte Apps löschen?',
  deleteImpact:
    'Ihr API-Schlüssel gilt sofort nicht mehr. Ihre Lookup-Schlüssel und die Rollen der Benutzer in ihr gehen mit.',
  deleteFiles: 'Auch die Dateien der App löschen? Bei Abbrechen bleiben sie im Speicher.',
  deleteFilesImpact: 'Sie liegen in {{places}}.',
  deleteFilesYes: 'Dateien löschen',
  loadFailed: 'Die Apps konnten nicht geladen werden. Bitte laden Sie die Seite neu und melden Sie sich wieder an.',
  tabs: { info: 'Allgemein', lookups: 'Lookup-Schlüssel', access: 'Was sie darf, und warum' },
  info: {
    title: 'Allgemein',
    hint: 'Was Menschen in Listen und im LaunchPad lesen.',
    name: 'Name der App',
    description: 'Beschreibung',
    descriptionHint: 'Was sie tut, für die Nächsten.',
    active: 'Aktiv',
    activeHint: 'Aufrufe mit dem Schlüssel einer inaktiven App werden abgewiesen.',
    ofConsole:
      'Das ist die App der Konsole selbst. Sie behält ihren Namen und ihren Schlüssel, bleibt aktiv und lässt sich nicht löschen: sonst könnte sich hier niemand mehr anmelden.',
  },
  role: {
    title: 'Standardrolle',
    hint: 'Was ein Aufruf mit dem Schlüssel dieser App darf, wenn niemand angemeldet ist, und was Menschen ohne eigene Rolle in dieser App dürfen.',
    label: 'Standardrolle zuweisen',
    none: '-- Keine Rolle gewählt --',
    noneHint: 'Ohne sie braucht jeder Aufruf die Sitzung einer Person.',
    noMatch: 'Keine Rolle heißt so.',
    inactive: '{{name}} (inaktiv)',
    failed: 'Die Rollen konnten nicht geladen werden.',
    unknown: 'Rolle {{id}}',
  },
  location: {
    title: 'Ort der App',
    hint: 'Wo ihre Seiten liegen. Danach richtet sich, welche Seite „Öffnen“ zeigt.',
    types: {
      none: 'Kein Speicher nötig – fremdes Gerät, Client oder Arbeitsplatz.',
      storage: 'In einem Dateidienst dieser Instanz.',
      url: 'Unter einer fremden URL.',
      path: 'Auf diesem Webserver.',
    },
    service: 'Dateidienst',
    serviceNone:
      'Diese Instanz hat keinen Dateidienst, also kann keine App in einem liegen. Wählen Sie einen anderen Ort, oder lassen Sie erst einen Dateidienst einrichten.',
    serviceFailed: 'Die Dateidienste konnten nicht geladen werden.',
    serviceUnknown: 'Dienst {{id}}, hier kein Dateidienst',
    folder: 'Ordner im Speicher',
    path: 'Startseite',
    pathHint: 'Die Seite, die zuerst aufgeht, unterhalb des Ordners.',
    url: 'URL der App',
    urlWrong: 'Eine ganze Adresse, die mit https:// oder http:// beginnt.',
    serverPath: 'Pfad zur App',
    serverPathHint:
      'Unterhalb der Adresse dieser Instanz: eine Seite der Konsole oder ein öffentlicher Pfad eines Dateidienstes.',
    pathMissing:
      'Dort ist weder eine Seite der Konsole noch ein öffentlicher Pfad eines Dateidienstes. Gespeichert werden kann es trotzdem.',
    notPublic:
      'Noch kann niemand sie öffnen: Weder der Ordner noch die Seite ist ein öffentlicher Pfad von {{service}}. Unter „Dateien“ lässt sich das ändern.',
    browse: { folder: 'Ordner wählen', file: 'Seite wählen' },
    choose: 'Wählen',
    preview: 'Die URL dieser App ist:',
    previewThing: 'URL',
  },
  key: {
    title: 'API-Schlüssel',
    hint: 'Jeder Aufruf der App trägt ihn, im Header X-DreamFactory-API-Key.',
    thing: 'API-Schlüssel von {{name}}',
    show: 'API-Schlüssel von {{name}} zeigen',
    hide: 'API-Schlüssel von {{name}} verbergen',
    renew: 'Neuer Schlüssel…',
    renewAsk: 'Einen neuen API-Schlüssel für {{name}} machen?',
    renewImpact:
      'Der jetzige Schlüssel gilt sofort nicht mehr: Wer ihn noch sendet, wird beim nächsten Aufruf abgewiesen, bis er den neuen hat.',
    renewYes: 'Neuen Schlüssel machen',
    renewed: '{{name}} hat einen neuen API-Schlüssel.',
    ofConsole:
      'Diesen Schlüssel erfährt jeder Browser, der die Konsole öffnet. Er ist kein Geheimnis und wird hier nicht ersetzt.',
    afterSave: 'Der Schlüssel entsteht beim Speichern der App.',
    withheld: 'Den Schlüssel sieht, wer diese App ändern darf und selbst alles darf, was die Rolle der App gibt.',
  },
  call: {
    title: 'Ein erster Aufruf',
    withRole: 'Er listet auf, was die Standardrolle aufrufen darf.',
    withoutRole:
      'Die App hat keine Standardrolle, deshalb steht das Sitzungstoken einer Person neben dem Schlüssel. Der Aufruf listet auf, was diese Person über die App aufrufen darf.',
    inactive: 'Die App ist inaktiv: so lange wird dieser Aufruf abgewiesen.',
    token: 'Ihr Sitzungstoken',
  },
  lookups: {
    title: 'Lookup-Schlüssel',
    hint: 'Werte, die Aufrufe dieser App überall einsetzen, wo {name} steht. Sie gehen denen der Instanz vor; die einer Rolle oder einer Person gehen ihnen vor.',
  },
  palette: { create: 'App anlegen', note: 'App' },
};
