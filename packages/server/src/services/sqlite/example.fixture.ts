import { mkdirSync } from 'node:fs';
import { openSqlite } from '@sluice/sql';
import { noteTable, noteValues } from '../engines/example.fixture.ts';
import type { ServiceExample } from '../example.fixture.ts';

export const example: ServiceExample = {
  values: noteValues,
  async prepare({ folder }) {
    mkdirSync(`${folder}/db`, { recursive: true });
    const file = openSqlite(`${folder}/db/notes.sqlite`, { create: true });
    file.exec(noteTable);
    file.close();
    return { config: { database: 'notes.sqlite' } };
  },
};
