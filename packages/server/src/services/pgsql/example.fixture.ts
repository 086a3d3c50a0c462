import { databaseExample } from '../engines/example.fixture.ts';

export const example = databaseExample('pgsql');
