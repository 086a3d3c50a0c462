import { scriptExample } from '../engines/example.fixture.ts';

export const example = scriptExample('nodejs', 'return { answer: "yes" };');
