import { scriptExample } from '../engines/example.fixture.ts';

export const example = scriptExample('php', 'return ["answer" => "yes"];');
