import { scriptExample } from '../engines/example.fixture.ts';

export const example = scriptExample('v8js', 'return { answer: "yes" };');
