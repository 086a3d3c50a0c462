import type { ScriptTypeName } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { completeScript } from './completion.ts';

const offered = (type: ScriptTypeName, before: string) =>
  completeScript(type, true)(before)?.options.map(({ label }) => label) ?? null;

describe('completion of event and platform', () => {
  it.each<[ScriptTypeName, string, string]>([
    ['v8js', 'const x = event.', 'request'],
    ['v8js', 'event.request.pay', 'payload'],
    ['v8js', "event['request'].", 'payload'],
    ['v8js', 'event.response?.', 'status_code'],
    ['v8js', 'if (platform.session.user.', 'email'],
    ['v8js', 'platform.store.', 'set'],
    ['nodejs', 'event.', 'setResponse'],
    ['python', "event['request']['", 'parameters'],
    ['python', 'platform.api.', 'post'],
    ['php', "$event['", 'request'],
    ['php', "$event['request']['pay", 'payload'],
    ['php', "$platform['api']->", 'get'],
    ['v8js', 'eve', 'event'],
    ['php', '$plat', '$platform'],
  ])('%s: %s', (type, before, label) => expect(offered(type, before)).toContain(label));

  it.each<[ScriptTypeName, string]>([
    ['v8js', 'myevent.'],
    ['v8js', 'x.event.'],
    ['v8js', 'event.request.constructor.'],
    ['v8js', 'event.nothing.'],
    ['v8js', "'event"],
    ['php', 'event.'],
    ['php', '$event->'],
    ['v8js', 'event->'],
    ['v8js', ''],
  ])('%s has nothing for: %s', (type, before) => expect(offered(type, before) ?? []).toEqual([]));

  it('replaces what was typed of a name, and closes what was opened', () => {
    const found = completeScript('php', true)("$event['request']['pay");
    expect(found?.length).toBe(3);
    expect(found?.options.find(({ label }) => label === 'payload')?.apply).toBe("payload']");
  });

  it('has the store where the language has one', () => {
    expect(offered('python', 'platform.')).not.toContain('store');
    expect(offered('v8js', 'platform.')).toContain('store');
  });
});
