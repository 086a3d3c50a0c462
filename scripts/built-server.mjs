// The `globalSetup` of tests that start the server in a process: they start what is shipped, in a third of the time that the
// sources take.
import { build, staleParts } from './build.mjs';

export const setup = () => build(staleParts().filter(({ name }) => name === 'server'));
