// Wörter, die die Bildschirme der Datenbanken teilen.
import type { database as en } from '../en/database.ts';

export const database: typeof en = {
  findTable: 'Tabelle suchen',
  tables: 'Tabellen',
  tablesShown_one: '{{tables}} Tabelle',
  tablesShown_other: '{{tables}} Tabellen',
  noTableMatch: 'Keine Tabelle hat „{{words}}“ im Namen.',
  noTables: 'Diese Datenbank hat keine Tabellen',
  close: 'Schließen',
  clearSearch: 'Suche leeren',
  retry: 'Tabellen neu lesen',
  resizePicker: 'Breite der Tabellenliste ändern',
  resizePane: 'Breite des Bereichs ändern',
};
