import { scriptExample } from '../engines/example.fixture.ts';

export const example = scriptExample('python', 'return {"answer": "yes"}');
