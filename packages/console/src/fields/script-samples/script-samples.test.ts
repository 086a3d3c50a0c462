import { scriptTypeNames } from '@sluice/contract';
import { expect, it } from 'vitest';
import { loadSampleScript } from './index.ts';

it.each(scriptTypeNames)('%s: there is a sample that shows event and platform', async (type) => {
  const text = await loadSampleScript(type);
  expect(text).toContain('X-Script-');
  expect(text).toContain('system/environment');
});
