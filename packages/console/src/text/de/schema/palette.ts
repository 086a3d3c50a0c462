import type { palette as en } from '../../en/schema/palette.ts';

export const palette: typeof en = {
  editTable: 'Tabelle {{table}} bearbeiten',
  createTable: 'Tabelle in {{service}} anlegen',
  uploadJson: 'Schema-JSON hochladen',
  note: 'Schema · {{service}}',
};
