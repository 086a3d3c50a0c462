// Before each test file: fast-check draws from the seed of the run. What it found fails with that seed in its message.
import fc from 'fast-check';
import { testSeed } from './soak.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: testSeed });
