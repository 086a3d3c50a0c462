import { existsSync, readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { readSettings } from '../../../settings/index.ts';
import { testRun } from '../../engine-suite.fixture.ts';
import { nodejsConfinedBy } from './index.ts';

const open = (settings: Record<string, string>) =>
  nodejsConfinedBy([]).open({ settings: readSettings(settings), log: { warn: () => {} } });

it('does not run where nothing confines it, and says what would help', async () => {
  const engine = open({});
  expect(await engine.state()).toEqual({
    confinement: 'none',
    missing: expect.stringMatching(/install bubblewrap 0.8 .*SLUICE_SCRIPTS_UNCONFINED=nodejs/),
  });
  await engine.close();
});

it('runs there where a setting names it, and leaves no process all the same', async () => {
  const engine = open({ SLUICE_SCRIPTS_UNCONFINED: 'php, NodeJS' });
  expect(await engine.state()).toEqual({ confinement: 'none' });
  const script = `const { spawn } = process.mainModule.require('child_process');
    event.pid = spawn('sleep', ['60']).pid; event.setReturn({ pid: event.pid, env: Object.keys(process.env) }); process.exit();`;
  const { returned } = await engine.run(testRun(script).run);
  const { pid, env } = JSON.parse(returned as string);
  expect(env.sort()).toEqual(['HOME', 'LANG', 'PATH', 'TMPDIR']);
  await engine.close();
  // What is left of it until the system's first process has noticed.
  const state = () => (existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2] : 'Z');
  await vi.waitFor(() => expect(state()).toBe('Z'));
});
