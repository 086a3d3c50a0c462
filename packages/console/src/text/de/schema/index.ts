// Wörter des Bildschirms Schema.
import type { schema as en } from '../../en/schema/index.ts';
import { diagram } from './diagram.ts';
import { field } from './field.ts';
import { history } from './history.ts';
import { palette } from './palette.ts';
import { paste } from './paste.ts';
import { plan } from './plan.ts';
import { relation } from './relation.ts';
import { table } from './table.ts';
import { upload } from './upload.ts';

export const schema: typeof en = {
  title: 'Schema',
  manage: 'Verwalten',
  selectService: 'Dienst',
  serviceBlank: '-- Dienst wählen --',
  selectTable: 'Tabelle',
  tableBlank: '-- Tabelle wählen --',
  reload: '{{service}} neu lesen',
  refreshed: '{{service}} ist neu gelesen.',
  loadFailed:
    'Der Bereich Schema konnte nicht geladen werden. Bitte laden Sie die Seite neu und melden Sie sich wieder an.',
  create: 'Anlegen',
  createOtherwise: 'Andere Wege zu einer Tabelle',
  uploadJson: 'JSON laden',
  pasteTable: 'Aus CSV oder JSON',
  drop: 'Löschen',
  showDiagram: 'Diagramm',
  noServices: 'Noch ist keine Datenbank verbunden',
  noServicesText:
    'Hier werden die Tabellen aller Datenbankdienste angelegt und geändert. Verbinden Sie zuerst eine Datenbank.',
  connect: 'Datenbank verbinden',
  chooseService: 'Wählen Sie eine Datenbank',
  chooseServiceText: 'Wählen Sie den Dienst, dessen Tabellen Sie sehen oder ändern wollen.',
  unknownService: 'Es gibt keinen Datenbankdienst „{{name}}“',
  unknownServiceText: 'Er wurde vielleicht umbenannt, abgeschaltet oder gelöscht, oder Ihre Rolle umfasst ihn nicht.',
  noTable: 'Keine Tabelle gewählt',
  noTableText:
    'Wählen Sie eine, oder legen Sie eine neue an: Feld für Feld, aus Schema-JSON oder aus eingefügten Daten.',
  noTables: 'Diese Datenbank hat keine Tabellen',
  noTablesText: 'Legen Sie die erste an: Feld für Feld, aus Schema-JSON oder aus eingefügten Daten.',
  tablesFailed: 'Die Tabellen von {{service}} konnten nicht gelesen werden',
  tableFailed: '{{table}} konnte nicht gelesen werden',
  tableMissing: 'Es gibt keine Tabelle „{{table}}“',
  tableMissingText: 'Sie wurde vielleicht umbenannt oder gelöscht.',
  leftOut_one:
    '{{count}} Tabelle fehlt: Ihre Rolle erlaubt nicht, ihre Beschreibung zu lesen, oder es gibt sie nicht mehr.',
  leftOut_other:
    '{{count}} Tabellen fehlen: Ihre Rolle erlaubt nicht, ihre Beschreibungen zu lesen, oder es gibt sie nicht mehr.',
  save: 'Speichern',
  cancel: 'Abbrechen',
  confirmUnsaved: 'Es gibt ungespeicherte Änderungen. Möchten Sie gehen, ohne sie zu speichern?',
  /** How drafts of forms are called. */
  draft: {
    newTable: 'Neue Tabelle',
    table: 'Tabelle {{table}}',
    field: 'Ein Feld von {{table}}',
    relation: 'Eine Beziehung von {{table}}',
  },
  diagram,
  field,
  history,
  palette,
  paste,
  plan,
  relation,
  table,
  upload,
};
