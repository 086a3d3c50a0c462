// Before each test file: the children of SQLite start as they do in the built server, several times as fast as from source.
import { childProgram } from './child-program.fixture.ts';
import { defaultProgram } from './start-child.ts';

defaultProgram.path = childProgram();
