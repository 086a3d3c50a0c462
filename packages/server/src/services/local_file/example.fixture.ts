import { mkdirSync, writeFileSync } from 'node:fs';
import type { ServiceExample } from '../example.fixture.ts';

export const example: ServiceExample = {
  values: { file_path: 'note.txt', folder_path: 'notes/' },
  async prepare({ folder }) {
    mkdirSync(`${folder}/files/example/notes`, { recursive: true });
    writeFileSync(`${folder}/files/example/note.txt`, 'a note');
    return { config: { container: 'example' } };
  },
};
