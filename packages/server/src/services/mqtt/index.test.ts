// Messages of a real broker: calls publish them, and they lead to calls of their subscribers, within what those may do.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type AskOptions, startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { type MqttBroker, remoteServerMissing, startMosquitto } from '@sluice/testkit/remote-servers';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const missing = remoteServerMissing('mqtt');

describe.skipIf(missing)(missing ?? 'a service of a broker', () => {
  let broker: MqttBroker;
  let platform: TestPlatform;
  let outside: MqttClient;
  let id: number;
  let folder: string;
  const clientOf = () => ({
    ...{ host: broker.host, port: broker.port, username: broker.username, password: broker.password },
  });
  const configOf = (more: object = {}) => ({ ...clientOf(), client_id: 'sluice', ...more });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-mqtt-'));
    [broker, platform] = await Promise.all([startMosquitto(), startPlatform({ data: folder })]);
    outside = await connectAsync({ ...clientOf(), protocolVersion: 5, clientId: 'outside' });
    id = (await makeService('iot', configOf())).id;
    const field = [
      { name: 'id', type: 'id' },
      { name: 'topic', type: 'string' },
      { name: 'value', type: 'string' },
    ];
    expect(
      (await platform.ask('POST', 'db/_schema', { body: { resource: [{ name: 'reading', field }] } })).status,
    ).toBe(200);
  });
  afterAll(async () => {
    await outside?.endAsync(true);
    await platform?.stop();
    await broker?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const makeService = (name: string, config: object) =>
    platform.create('service', { name, label: name, type: 'mqtt', is_active: true, config });
  const ask = async (verb: string, path: string, body?: unknown, options: AskOptions = {}) => {
    const { status, body: said } = await platform.ask(verb, path, { body, ...options });
    return [status, said?.error?.message ?? said];
  };
  const publish = (topic: string, message: string | Buffer, retain = false) =>
    outside.publishAsync(topic, message, { qos: 1, retain });
  const readings = async (topic: string): Promise<string[]> => {
    const { body } = await platform.ask('GET', `db/_table/reading?filter=${encodeURIComponent(`topic="${topic}"`)}`);
    return body.resource.map(({ value }: { value: string }) => value);
  };
  const writing = (payload: unknown = { resource: [{ topic: '{topic}', value: '{message}' }] }) => ({
    endpoint: 'db/_table/reading',
    verb: 'POST',
    payload,
  });
  /** What an operation answers once it is as expected; what it is when it never gets there. */
  async function soon<T>(read: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
    const end = Date.now() + 15_000;
    for (;;) {
      const value = await read();
      if (isThere(value) || Date.now() > end) return value;
      await wait(20);
    }
  }
  /** Sends a message again and again until it led somewhere: it is not said when the broker knows of a subscription. */
  async function subscribed(topic: string): Promise<void> {
    await soon(
      async () => {
        await publish(topic, 'ready');
        await wait(20);
        return readings(topic);
      },
      (values) => values.length > 0,
    );
    await wait(100);
    await platform.ask('DELETE', `db/_table/reading?filter=${encodeURIComponent(`topic="${topic}"`)}`);
  }
  const stats = async (topic: string) => {
    const { body } = await platform.ask('GET', 'iot/sub');
    return body.resource.find((row: { topic: string }) => row.topic === topic);
  };

  it('publishes a text, and anything else as JSON', async () => {
    const got: string[] = [];
    outside.on('message', (topic, content) => topic.startsWith('out/') && got.push(`${topic} ${content}`));
    await outside.subscribeAsync('out/#', { qos: 1 });
    expect(await ask('GET', 'iot')).toEqual([200, { resource: [{ name: 'pub' }, { name: 'sub' }] }]);
    expect(await ask('POST', 'iot/pub', { topic: 'out/a', message: 'Grüße' })).toEqual([200, { success: true }]);
    await ask('POST', 'iot/pub', { topic: 'out/b', message: { x: [1] } });
    await ask('POST', 'iot/pub', { topic: 'out/c', message: 5 });
    expect(
      await soon(
        async () => got,
        ({ length }) => length >= 3,
      ),
    ).toEqual(['out/a Grüße', 'out/b {"x":[1]}', 'out/c 5']);
    await outside.unsubscribeAsync('out/#');
  });

  it('refuses what is no topic, no message, or too long', async () => {
    const refused = async (body: unknown) => {
      const [status, message] = await ask('POST', 'iot/pub', body);
      return `${status} ${message}`;
    };
    for (const topic of [undefined, '', 5])
      expect(await refused({ topic, message: 'x' })).toMatch(/^400 No topic found/);
    for (const topic of ['a/+', '#', 'a#', '$SYS/x', 'a\u0000b', 'a\nb', 'a'.repeat(1_025), '/'.repeat(70)])
      expect([topic.slice(0, 9), await refused({ topic, message: 'x' })]).toEqual([
        topic.slice(0, 9),
        expect.stringMatching(/^400 The topic cannot be used/),
      ]);
    expect(await refused({ topic: 'a' })).toMatch(/^400 No message found/);
    expect(await refused({ topic: 'a', message: 'x'.repeat(256 * 1024 + 1) })).toMatch(/^400 A message has/);
    expect(await refused([1])).toMatch(/^400 No topic found/);
  });

  it('has a record written for each message of a topic, and lists, counts and ends that', async () => {
    expect(await ask('POST', 'iot/sub', [{ topic: 'home/one', service: writing() }])).toEqual([200, { success: true }]);
    await subscribed('home/one');
    await ask('POST', 'iot/pub', { topic: 'home/one', message: '21.5' });
    await publish('home/one', '22');
    await publish('home/two', 'no');
    expect(
      await soon(
        () => readings('home/one'),
        ({ length }) => length >= 2,
      ),
    ).toEqual(['21.5', '22']);
    // The same one again changes nothing.
    await ask('POST', 'iot/sub', { resource: [{ topic: 'home/one', service: writing() }] });
    const { body } = await platform.ask('GET', 'iot/sub');
    expect(body.resource).toEqual([
      {
        ...{ id: expect.any(Number), topic: 'home/one', created_date: expect.any(String), user_id: 1, app_id: null },
        service: { ...writing(), header: {}, parameter: {} },
        ...{ calls: expect.any(Number), failures: 0, dropped: 0, last_error: null },
      },
    ]);
    expect(
      (
        await soon(
          () => stats('home/one'),
          ({ calls }) => calls >= 3,
        )
      ).calls,
    ).toBeGreaterThanOrEqual(3);
    expect(await ask('DELETE', 'iot/sub?topic=home/nothing')).toEqual([
      404,
      "There is no subscription to the topic 'home/nothing'.",
    ]);
    expect(await ask('DELETE', 'iot/sub?topic=home/one')).toEqual([200, { success: true }]);
    expect((await platform.ask('GET', 'iot/sub')).body).toEqual({ resource: [] });
    await publish('home/one', 'late');
    await wait(200);
    expect(await readings('home/one')).toEqual(['21.5', '22']);
  });

  it('fills the payload with the message, its parts and its topic, as values', async () => {
    const record = {
      topic: 'fill',
      value: '{message.place} is {message.t.c}° at {topic.2}; {other} {message.nothing}',
    };
    await ask('POST', 'iot/sub', [
      { topic: 'fill/+/x', service: writing({ resource: [record] }) },
      // Without a placeholder as on older servers: the message is a field of the object.
      { topic: 'plain', service: { endpoint: '/api/v2/db/_table/reading/?fields=*', payload: { topic: 'plain' } } },
    ]);
    await soon(
      async () => {
        await publish('fill/here/x', '{"place":"\\"}],{","t":{"c":5}}');
        await wait(20);
        return readings('fill');
      },
      ({ length }) => length > 0,
    );
    expect((await readings('fill'))[0]).toBe('"}],{ is 5° at here; {other} ');
    await ask('DELETE', 'iot/sub');
  });

  it('makes one call where several subscriptions of a caller overlap, each its own', async () => {
    const note = (value: string) => writing({ resource: [{ topic: 'over', value }] });
    await ask('POST', 'iot/sub', [
      { topic: 'over/+', service: note('one') },
      { topic: '+/lap', service: note('two') },
      { topic: 'over/lap', service: writing() },
    ]);
    await subscribed('over/lap');
    await platform.ask('DELETE', 'db/_table/reading?filter=topic%3D"over"');
    await publish('over/lap', 'x');
    expect(
      await soon(
        () => readings('over/lap'),
        ({ length }) => length >= 1,
      ),
    ).toEqual(['x']);
    const both = await soon(
      () => readings('over'),
      ({ length }) => length >= 2,
    );
    await wait(100);
    expect([both.sort(), (await readings('over')).length]).toEqual([['one', 'two'], 2]);
    await ask('DELETE', 'iot/sub');
  });

  describe('who subscribes', () => {
    let key: string;
    let role: number;
    let app: number;
    beforeAll(async () => {
      const rows = [
        { service_id: id, component: '*', verb_mask: 31, requestor_mask: 1 },
        { service_id: 6, component: '_table/reading/*', verb_mask: 2, requestor_mask: 1 },
      ];
      role = (await platform.create('role', { name: 'iot', is_active: true, role_service_access_by_role_id: rows })).id;
      const made = await platform.create('app', { name: 'iot', type: 0, is_active: true, role_id: role });
      [key, app] = [String(made.api_key), made.id];
    });
    const asApp = {
      token: null,
      get key() {
        return key;
      },
    };

    it('abuse: a call is made as the one who subscribed, with what they may do when the message arrives', async () => {
      const services = await platform.ask('GET', 'system/service?fields=id,name');
      const db = services.body.resource.find(({ name }: { name: string }) => name === 'db').id;
      await platform.ask('PATCH', `system/role/${role}?related=role_service_access_by_role_id`, {
        body: {
          role_service_access_by_role_id: [
            { service_id: id, component: '*', verb_mask: 31, requestor_mask: 1 },
            { service_id: db, component: '_table/reading/*', verb_mask: 2, requestor_mask: 1 },
          ],
        },
      });
      const system = { endpoint: 'system/role', payload: { resource: [{ name: 'stolen' }] } };
      expect(
        await ask(
          'POST',
          'iot/sub',
          [
            { topic: 'app/one', service: writing() },
            { topic: 'app/one', service: system },
          ],
          asApp,
        ),
      ).toEqual([200, { success: true }]);
      await subscribed('app/one');
      expect((await platform.ask('GET', 'system/role?filter=name=stolen')).body.resource).toEqual([]);
      const failed = await soon(
        async () => (await platform.ask('GET', 'iot/sub', asApp)).body.resource[1],
        ({ failures }) => failures > 0,
      );
      expect(failed.last_error).toMatch(/Access Forbidden|denied|not/i);
      // Nobody sees those of others, nor ends them; administrators do, without what may be secret.
      const { id: user } = await platform.create('user', {
        email: 'other@example.com',
        first_name: 'O',
        last_name: 'T',
        is_active: true,
      });
      const other = { token: await platform.tokenOf(user), key };
      expect((await platform.ask('GET', 'iot/sub', other)).body.resource).toEqual([]);
      expect((await ask('DELETE', 'iot/sub?topic=app/one', undefined, other))[0]).toBe(404);
      expect((await platform.ask('GET', 'iot/sub')).body.resource).toHaveLength(2);
      // The role loses the right: the next message writes nothing.
      await platform.ask('PATCH', `system/role/${role}`, { body: { is_active: false } });
      await publish('app/one', 'no more');
      await soon(
        () => stats('app/one'),
        ({ failures }) => failures > 0,
      );
      expect(await readings('app/one')).toEqual([]);
      await platform.ask('PATCH', `system/role/${role}`, { body: { is_active: true } });
      // A limit of the role holds for calls of messages, too.
      const limit = { type: 'instance.role', role_id: role, name: 'iot', rate: 1, period: 'hour', is_active: true };
      const { body } = await platform.ask('POST', 'system/limit', { body: { resource: [limit] } });
      const { failures } = await stats('app/one');
      for (const value of ['1', '2', '3']) await publish('app/one', value);
      await soon(
        () => stats('app/one'),
        (row) => row.failures > failures && /limit/i.test(row.last_error),
      );
      expect((await readings('app/one')).length).toBeLessThanOrEqual(1);
      await platform.ask('DELETE', `system/limit/${body.resource[0].id}`);
      // The app goes, and its subscriptions with it.
      await platform.ask('DELETE', `system/app/${app}`);
      expect((await platform.ask('GET', 'iot/sub')).body.resource).toEqual([]);
    });

    it('abuse: no header says who calls, and no odd call is taken', async () => {
      const refused = async (service: unknown, topic: unknown = 'x') => {
        const [status, message] = await ask('POST', 'iot/sub', [{ topic, service }]);
        return `${status} ${message}`;
      };
      for (const name of ['X-DreamFactory-Session-Token', 'Authorization', 'cookie', 'X-HTTP-Method'])
        expect(await refused({ endpoint: 'db', header: { [name]: 'x' } })).toMatch(/^400 .*who calls/);
      for (const service of [
        ...[undefined, 5, {}, { endpoint: '' }, { endpoint: '///' }, { endpoint: 'db', verb: 'TRACE' }],
        ...[
          { endpoint: 'db', header: { 'a b': 1 } },
          { endpoint: 'db', header: { a: 'x\r\ny' } },
          { endpoint: 'db', header: [1] },
        ],
        ...[{ endpoint: 'db', parameter: { a: {} } }, { endpoint: 'a\u0000b' }, { endpoint: 'db?a=%FF' }],
        { endpoint: 'db', payload: 'x'.repeat(20_000) },
      ])
        expect([JSON.stringify(service)?.slice(0, 40), await refused(service)]).toEqual([
          JSON.stringify(service)?.slice(0, 40),
          expect.stringMatching(/^400 The service of the topic 'x' cannot be called/),
        ]);
      for (const topic of ['a/#/b', 'a+', '$share/g/a', 'x\ud800'])
        expect(await refused({ endpoint: 'db' }, topic)).toMatch(/^400 The topic cannot be used/);
      expect(await ask('POST', 'iot/sub', [])).toEqual([400, expect.stringMatching(/^No subscription found/)]);
      const many = Array.from({ length: 51 }, (_, index) => ({ topic: `t/${index}`, service: { endpoint: 'db' } }));
      expect(await ask('POST', 'iot/sub', many)).toEqual([400, 'At most 50 subscriptions are taken.']);
      // At the same time, too, nobody gets more than they may have.
      await Promise.all([0, 1, 2].map((part) => ask('POST', 'iot/sub', many.slice(17 * part, 17 * part + 30))));
      expect((await platform.ask('GET', 'iot/sub')).body.resource.length).toBeLessThanOrEqual(50);
      await ask('DELETE', 'iot/sub');
      await ask('POST', 'iot/sub', many.slice(0, 30));
      expect(await ask('POST', 'iot/sub', many.slice(21))).toEqual([400, 'At most 50 subscriptions are taken.']);
      await ask('DELETE', 'iot/sub');
    });
  });

  it('abuse: a call that publishes to its own topic comes to an end', async () => {
    await ask('POST', 'iot/sub', [
      { topic: 'loop', service: { endpoint: 'iot/pub', payload: { topic: 'loop', message: '{message}' } } },
      { topic: 'loop', service: writing() },
    ]);
    await subscribed('loop');
    await publish('loop', 'round');
    await soon(
      () => stats('loop'),
      ({ dropped }) => dropped > 0,
    );
    await wait(300);
    const rounds = (await readings('loop')).filter((value) => value === 'round').length;
    await wait(300);
    expect([rounds, (await readings('loop')).filter((value) => value === 'round').length]).toEqual([5, 5]);
    expect((await stats('loop')).last_error).toContain('led to each other');
    await ask('DELETE', 'iot/sub');
  });

  it('abuse: what the broker had kept leads to no call', async () => {
    await publish('kept', 'old', true);
    await ask('POST', 'iot/sub', [{ topic: 'kept', service: writing() }]);
    await subscribed('kept');
    await publish('kept', 'new');
    expect(
      await soon(
        () => readings('kept'),
        ({ length }) => length >= 1,
      ),
    ).toEqual(['new']);
    await publish('kept', '', true);
    await ask('DELETE', 'iot/sub');
  });

  it('goes on after the broker was away, and after the service has another configuration', async () => {
    await ask('POST', 'iot/sub', [{ topic: 'away', service: writing() }]);
    await subscribed('away');
    await broker.kill();
    expect(await ask('POST', 'iot/pub', { topic: 'x', message: 'y' })).toEqual([
      503,
      'The broker is not available: it refuses connections.',
    ]);
    await broker.start();
    await platform.ask('PATCH', `system/service/${id}`, {
      body: { config: { ...configOf({ client_id: 'renamed' }) } },
    });
    await subscribed('away');
    await publish('away', 'again');
    expect(
      await soon(
        () => readings('away'),
        ({ length }) => length >= 1,
      ),
    ).toEqual(['again']);
    await ask('DELETE', 'iot/sub');
  });

  it('goes on after a restart, and of two processes one has the calls made', async () => {
    const others: TestPlatform[] = [];
    const shared = { data: folder, databaseUrl: platform.settings.databaseUrl };
    try {
      await ask('POST', 'iot/sub', [{ topic: 'twice', service: writing() }]);
      await subscribed('twice');
      others.push(await startPlatform(shared));
      await publish('twice', 'one');
      expect(
        await soon(
          () => readings('twice'),
          ({ length }) => length >= 1,
        ),
      ).toEqual(['one']);
      // Either process publishes.
      expect((await others[0]?.ask('POST', 'iot/pub', { body: { topic: 'twice', message: 'two' } }))?.status).toBe(200);
      expect(
        await soon(
          () => readings('twice'),
          ({ length }) => length >= 2,
        ),
      ).toEqual(['one', 'two']);
      await wait(200);
      expect(await readings('twice')).toEqual(['one', 'two']);
      const gone = platform;
      platform = others.shift() as TestPlatform;
      others.push(gone);
      await gone.stop();
      others.pop();
      await subscribed('twice');
      await publish('twice', 'three');
      expect(
        await soon(
          () => readings('twice'),
          ({ length }) => length >= 1,
        ),
      ).toEqual(['three']);
      await ask('DELETE', 'iot/sub');
    } finally {
      for (const other of others) await other.stop();
    }
  });

  it('hides the password, sends it nowhere else, and says what is wrong with a login or a host', async () => {
    expect((await platform.ask('GET', `system/service/${id}`)).text).not.toContain(broker.password);
    const moved = await ask('PATCH', `system/service/${id}`, { config: { host: 'elsewhere.example' } });
    expect(moved).toEqual([400, expect.stringContaining('The password field is required when host changes')]);
    const tried = async (more: object) => {
      const record = { name: 'tried', label: 'T', type: 'mqtt', config: configOf(more) };
      const { status, body } = await platform.ask('POST', 'system/service/_test', { body: record });
      return `${status} ${JSON.stringify(body)}`;
    };
    expect(await tried({})).toBe('200 {"success":true}');
    const wrong = await tried({ password: 'not the one' });
    expect(wrong).toMatch(/does not accept the login/);
    expect(wrong).not.toContain('not the one');
    expect(await tried({ port: 1 })).toMatch(/it refuses connections/);
    expect(await tried({ use_tls: true, capath: '/nowhere' })).toMatch(/there is nothing/);
    expect(await tried({ use_tls: true, capath: '/etc/passwd' })).toMatch(/no certificates/);
    for (const config of [
      { host: 'a b' },
      { host: 'mqtt://a' },
      { port: 0 },
      { client_id: ' ' },
      { client_id: 'x\ny' },
    ])
      expect(
        (
          await ask('POST', 'system/service', { resource: [{ name: 'odd', type: 'mqtt', config: configOf(config) }] })
        )[0],
      ).toBe(400);
  });
});
