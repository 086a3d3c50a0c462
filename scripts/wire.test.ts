import { describe, expect, it } from 'vitest';
import { startsServer } from './wire.mjs';

const files: Record<string, string> = {
  'packages/server/src/shop.ts': "// Opens a shop.\nimport { startPlatform } from '@sluice/testkit';\n",
  'packages/server/src/call.ts': "import { aCall } from '@sluice/testkit/call';\nimport './rooms/room.test.ts';\n",
  'packages/server/src/rooms/round.ts': "import { round } from './round.ts';\n",
  'packages/testkit/src/index.ts': "export * from './platform.ts';\n",
  'packages/testkit/src/shop.ts': "import { startPlatform } from './platform.ts';\n",
};

describe('a test file starts the real server when it', () => {
  it.each([
    ['imports what starts it', "import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';"],
    [
      'imports what starts it on several lines',
      "import {\n  administrator,\n  startProcess,\n} from './test-process.ts';",
    ],
    ['imports a file of ours that does', "import { it } from 'vitest';\nimport { shop } from '../shop.ts';"],
    ['imports a part of the testkit that does', "import { shop } from '@sluice/testkit/shop';"],
  ])('%s', (_, source) => expect(starts(source)).toBe(true));

  it.each([
    ['imports something else of the testkit', "import { administrator } from '@sluice/testkit';"],
    ['imports a type', "import type { startPlatform } from '@sluice/testkit';"],
    ['imports a type among values', "import { administrator, type startPlatform } from '@sluice/testkit';"],
    ['only speaks of it', "// import { startPlatform } from '@sluice/testkit';\nconst it = 'startPlatform';"],
    ['makes its calls up', "import { ask } from '../call.ts';"],
    ['imports what imports itself', "import { round } from './round.ts';"],
    ['is not there', undefined],
  ])('but not when it %s', (_, source) => expect(starts(source)).toBe(false));
});

function starts(source: string | undefined) {
  const path = 'packages/server/src/rooms/room.test.ts';
  return startsServer(path, (at: string) => (at === path ? source : files[at]));
}
