// Scripts that mean harm, as data, by language, and the tests made of them: the test of an engine is one call of `describeHostile`.
// Each is contained within its bound while another caller's script runs and answers right. A case that has no script for a language
// is one that the language has no means for.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure, type ScriptTypeName } from '@sluice/contract';
import { soakCases } from '@sluice/testkit/soak';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../settings/index.ts';
import { type Confinement, type Engine, type EngineType, ScriptException } from '../engine.ts';
import { simpleScripts, testRun } from '../engine-suite.fixture.ts';
import { processesBelow } from './watch.ts';

type Scripts = Partial<Record<ScriptTypeName, string>>;

interface HostileCase {
  name: string;
  /** `{data}` stands for the data folder of the server, `{port}` for one that it listens on, `{pid}` for its process. */
  script: Scripts;
  /** Runs first, as somebody else's; what comes of it does not matter. */
  before?: Scripts;
  /**
   * Keys of failures, of which it ends with either; `exception`: an error of the language. `test.timeout`: it goes on until
   * it is ended.
   */
  failure?: string | string[];
  /** What it returns, where it ends by itself. */
  returned?: unknown;
  /** It is about what a script sees and may do, which is another view for each confinement. */
  isAboutView?: true;
}

/** How a script of nodejs gets at what `require` does not give it: its process confines it, not this. */
const node = (script: string) =>
  `const load = process.mainModule.require; const fs = load('fs'); const { spawn, execSync, spawnSync } = load('child_process');
   const attempt = (work) => { try { work(); return true; } catch (error) { return false; } };
   const shell = (text) => spawnSync('/bin/sh', ['-c', text], { encoding: 'utf8', timeout: 10000 }).stdout;
   ${script}`;

/** Texts that no script may see. */
const secret = 'this-is-the-key-of-the-server';

export const hostileCases: HostileCase[] = [
  {
    name: 'processes without end',
    isAboutView: true,
    script: {
      nodejs: node("for (;;) try { spawn('/bin/sh', ['-c', 'a() { a | a & }; a; while :; do :; done']); } catch {}"),
    },
    failure: 'test.timeout',
  },
  {
    name: 'threads without end',
    script: {
      nodejs: node(
        "const { Worker } = load('worker_threads'); for (let n = 0; n < 200; n++) new Worker('for (;;) {}', { eval: true });",
      ),
    },
    failure: ['test.timeout', 'script.exit', 'script.memory', 'exception'],
  },
  {
    name: 'memory of many processes together',
    isAboutView: true,
    script: {
      nodejs: node(
        "const text = 'const all = []; for (let n = 0; n < 40; n++) all.push(Buffer.alloc(1000000, 1)); setInterval(() => {}, 1000)'; for (let n = 0; n < 12; n++) spawn(process.execPath, ['--v8-pool-size=0', '-e', text]).on('error', () => {}); setInterval(() => {}, 1000);",
      ),
    },
    failure: ['script.memory', 'test.timeout'],
  },
  {
    name: 'memory outside the heap',
    script: { nodejs: 'const all = []; for (;;) all.push(Buffer.alloc(10000000, 1));' },
    failure: ['script.memory', 'script.exit', 'exception'],
  },
  {
    name: 'files without end',
    script: {
      nodejs: node(
        "let written = 0; const part = Buffer.alloc(1000000, 1); try { for (let n = 0; n < 1000; n++) written += fs.writeSync(fs.openSync('/tmp/' + n, 'w'), part); } catch {} return { isBounded: written <= 16 * 1024 * 1024, code: 1 };",
      ),
    },
    returned: { isBounded: true, code: 1 },
  },
  {
    name: 'names of files without end',
    script: { nodejs: node("for (let n = 0; ; n++) fs.writeFileSync('/tmp/' + n, '');") },
    failure: ['script.memory', 'exception'],
  },
  {
    name: 'writing anywhere but to its own folder',
    isAboutView: true,
    script: {
      nodejs: node(
        "return ['/', '/usr', '/usr/bin', '/etc', '/run', '/run/sluice', '/dev', '/dev/shm', '/var/tmp', '/proc/sys/kernel', '{data}'].filter((folder) => attempt(() => fs.writeFileSync(folder + '/left', 'x')));",
      ),
    },
    returned: [],
  },
  {
    name: 'output without end, of processes that it starts',
    script: {
      nodejs: node(
        "spawn('/bin/sh', ['-c', 'while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done'], { stdio: 'inherit' }); setInterval(() => {}, 1000);",
      ),
    },
    failure: 'test.output',
  },
  {
    name: 'a connection to the server, to elsewhere and to a socket of the machine',
    isAboutView: true,
    script: {
      nodejs: node(
        `const net = load('net'); const tries = [{ port: {port}, host: '127.0.0.1' }, { port: {port}, host: '0.0.0.0' }, { port: 53, host: '1.1.1.1' }, { path: '/run/docker.sock' }, { path: '/var/run/postgresql/.s.PGSQL.5432' }];
         return Promise.all(tries.map((to) => new Promise((resolve) => net.connect(to).on('connect', () => resolve('open')).on('error', () => resolve('closed')))));`,
      ),
    },
    returned: ['closed', 'closed', 'closed', 'closed', 'closed'],
  },
  {
    name: 'a connection by another program',
    isAboutView: true,
    script: {
      nodejs: node(
        "return shell('(exec 9<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && echo open; bash -c \"exec 9<>/dev/tcp/127.0.0.1/{port}\" 2>/dev/null && echo open; ls /sys/class/net 2>/dev/null') || 'closed';",
      ),
    },
    returned: 'closed',
  },
  {
    name: 'signals to the server and to whatever it finds',
    isAboutView: true,
    script: {
      nodejs: node(
        "return [{pid}, 1, process.ppid].filter((pid) => pid > 1 && attempt(() => process.kill(pid, 'SIGKILL')));",
      ),
    },
    returned: [],
  },
  {
    name: 'a signal to all processes',
    script: { nodejs: node("shell('kill -9 -1'); process.kill(-1, 'SIGKILL'); setInterval(() => {}, 1000);") },
    failure: ['script.exit', 'test.timeout', 'script.noEvent', 'exception'],
  },
  {
    name: 'reading what the server keeps',
    isAboutView: true,
    script: {
      nodejs: node(
        "const found = ['{data}', '{data}/secret.key', '{data}/sluice.sqlite', '/proc/{pid}/environ', '/proc/{pid}/root{data}/secret.key', '/proc/1/root{data}/secret.key', '/proc/1/environ', '/proc/1/cwd/{data}/secret.key', '/etc/shadow', '/etc/passwd', '/root', '/home'].filter((path) => attempt(() => fs.readdirSync(path)) || attempt(() => fs.readFileSync(path))); return [found.filter((path) => path !== '/proc/1/environ'), shell('grep -rs \"this-is-the\"-key /proc/[0-9]*/environ /tmp /run /etc /dev/shm /var 2>/dev/null')];",
      ),
    },
    returned: [[], ''],
  },
  {
    name: 'the environment of the server',
    script: {
      nodejs:
        'return [Object.keys(process.env).filter((name) => /SLUICE|TOKEN|KEY/.test(name)), JSON.stringify(process.env).includes("this-is-the-key")];',
    },
    returned: [[], false],
  },
  {
    name: 'other rights',
    isAboutView: true,
    script: {
      nodejs: node(
        "const tries = { mount: 'mount -t tmpfs none /usr', remount: 'mount -o remount,rw /', chroot: 'chroot /usr /bin/true', node: 'mknod /tmp/disk b 254 0', user: 'setpriv --reuid 0 id', limit: 'prlimit --nproc=10000 true', nice: 'nice -n -5 true && test $(nice -n -5 nice) -lt 0', host: 'hostname other' }; return Object.keys(tries).filter((name) => spawnSync('/bin/sh', ['-c', tries[name]]).status === 0);",
      ),
    },
    returned: [],
  },
  {
    name: 'the ways out of a context that are known by name',
    script: {
      nodejs: `const ways = [
          () => this.constructor.constructor('return process')(),
          () => (function () { return this; })().process,
          () => require('util').inspect.constructor('return process')(),
          () => process.binding('fs') && process,
          () => require('events').EventEmitter.constructor('return globalThis')().process,
        ];
        return ways.map((way) => { try { return way().mainModule.require('fs').readFileSync('{data}/secret.key', 'utf8'); } catch (error) { return error.code; } });`,
    },
    returned: Array.from({ length: 5 }, () => 'ENOENT'),
  },
  {
    name: 'a forged reply that is nonsense',
    script: { nodejs: node("fs.writeSync(3, 'nonsense\\n'); setInterval(() => {}, 1000);") },
    failure: 'script.noEvent',
  },
  {
    name: 'a forged reply that is no event',
    script: { nodejs: node('fs.writeSync(3, \'{"kind":"done","event":"[]"}\\n\'); setInterval(() => {}, 1000);') },
    failure: 'script.noEvent',
  },
  {
    name: 'a forged reply, which is no more than its own',
    script: {
      nodejs: node(
        'fs.writeSync(3, \'{"kind":"done","event":"{}","returned":"[1]"}\\n{"kind":"done","event":"{}","returned":"[2]"}\\n\'); setInterval(() => {}, 1000);',
      ),
    },
    returned: [1],
  },
  {
    name: 'a forged reply without end',
    script: { nodejs: node('const part = Buffer.alloc(100000, 97); for (;;) fs.writeSync(3, part);') },
    failure: 'script.tooMuchResult',
  },
  {
    name: 'forged calls without end, whose answers it does not read',
    script: {
      nodejs: node(
        'const part = Buffer.from(\'{"kind":"call","id":1,"name":"api","argument":"{}"}\\n\'.repeat(1000)); for (;;) fs.writeSync(3, part);',
      ),
    },
    failure: ['test.timeout', 'script.tooManyCalls'],
  },
  {
    name: 'forged calls of odd values',
    script: {
      nodejs: node(
        "for (const argument of ['', 'null', '5', '[]', '{\"verb\":5,\"path\":{}}', '{\"verb\":\"__proto__\",\"path\":\"constructor\"}', '[[[[', '{\"path\":null}']) for (const name of ['api', 'get', 'set', 'log']) fs.writeSync(3, JSON.stringify({ kind: 'call', id: 1, name, argument }) + '\\n'); return 1;",
      ),
    },
    returned: 1,
  },
  {
    name: 'an end that leaves processes of other sessions behind',
    isAboutView: true,
    script: {
      nodejs: node(
        "spawn('setsid', ['-f', 'sh', '-c', 'while :; do echo left; sleep 0.05; done'], { stdio: 'inherit', detached: true }).unref(); return 1;",
      ),
    },
    returned: 1,
  },
  {
    name: 'files and processes that the run before left',
    isAboutView: true,
    before: {
      nodejs: node(
        "fs.writeFileSync('/tmp/left', 'x'); fs.mkdirSync('/tmp/.hidden'); spawnSync('setsid', ['-f', 'sleep', '60'], { stdio: 'ignore' }); return 1;",
      ),
    },
    script: { nodejs: node("return [fs.readdirSync('/tmp'), shell('cat /proc/[0-9]*/comm').includes('sleep')];") },
    returned: [[], false],
  },
  {
    name: 'a process that stops itself',
    script: { nodejs: node("process.kill(process.pid, 'SIGSTOP');") },
    failure: 'test.timeout',
  },
  {
    name: 'a process that closes what it speaks by, and goes on',
    script: { nodejs: node('for (let fd = 0; fd < 4; fd++) fs.closeSync(fd); for (;;) {}') },
    failure: ['test.timeout', 'script.noEvent'],
  },
  {
    name: 'an end without a word',
    script: { nodejs: 'process.reallyExit(0);' },
    failure: 'script.noEvent',
  },
  {
    name: 'an end with a code',
    script: { nodejs: 'process.exit(3);' },
    failure: 'script.exit',
  },
  {
    name: 'an end by a signal',
    script: { nodejs: 'process.abort();' },
    failure: 'script.exit',
  },
  {
    name: 'a result that is nested without end',
    script: { nodejs: 'let deep = []; for (let n = 0; n < 100000; n++) deep = [deep]; event.deep = deep;' },
    failure: ['script.noEvent', 'exception'],
  },
];

const timedOut = new Failure('test.timeout', 500, 'Too long.', { code: 500 });

/**
 * Runs the cases of an engine within one kind of confinement: all by bubblewrap, and those about the view of another user in the
 * normal run. `slow` is how many milliseconds a script may go on before it is ended.
 */
export function describeHostile(type: EngineType, confinement: Confinement, { slow = 400 } = {}): void {
  const ofLanguage = hostileCases.filter(({ script }) => script[type.name] !== undefined);
  const isAll = ({ isAboutView }: HostileCase) => confinement === 'bubblewrap' || isAboutView === true;
  const cases = soakCases(
    ofLanguage.filter(isAll),
    ofLanguage.filter((hostile) => !isAll(hostile)),
  );

  describe(`${type.name} by ${confinement}: scripts that mean harm`, { timeout: 60_000 }, () => {
    let engine: Engine;
    let data: string;
    let server: Server;
    let connections = 0;
    const filled = (text: string) =>
      text
        .replaceAll('{data}', data)
        .replaceAll('{port}', String((server.address() as { port: number }).port))
        .replaceAll('{pid}', String(process.pid));

    beforeAll(async () => {
      data = mkdtempSync(join(tmpdir(), 'hostile-'));
      for (const name of ['secret.key', 'sluice.sqlite']) writeFileSync(join(data, name), secret);
      process.env.SLUICE_HOSTILE_KEY = secret;
      server = createServer((socket) => {
        connections += 1;
        socket.destroy();
      });
      await new Promise<void>((resolve) => server.listen(0, resolve));
      engine = type.open({ settings: readSettings({ SLUICE_DATA: data }), log: { warn: () => {} } });
      expect(await engine.state()).toEqual({ confinement });
    });
    afterAll(async () => {
      await engine.close();
      server.close();
      delete process.env.SLUICE_HOSTILE_KEY;
      expect(connections).toBe(0);
      expect(readdirSync(data).sort()).toEqual(['secret.key', 'sluice.sqlite']);
      expect(readFileSync(join(data, 'secret.key'), 'utf8')).toBe(secret);
      rmSync(data, { recursive: true });
      expect(processesBelow(process.pid).filter(isOfScript)).toEqual([]);
    });

    it.each(cases)('$name', async ({ script, before, failure, returned }) => {
      if (before) await engine.run(testRun(filled(before[type.name] as string)).run).catch(() => undefined);
      const stop = new AbortController();
      const timer = setTimeout(() => stop.abort(timedOut), [failure].flat().includes(timedOut.key) ? slow : 30_000);
      const { run } = testRun(filled(script[type.name] as string), { signal: stop.signal });
      const hostile = engine.run(run).catch((error: unknown) => error);
      const others = Promise.all(Array.from({ length: 3 }, () => engine.run(testRun(simpleScripts[type.name]).run)));
      expect((await others).map((result) => result.returned)).toEqual(Array.from({ length: 3 }, () => '{"ok":1}'));
      const outcome = await hostile;
      clearTimeout(timer);
      if (failure !== undefined) {
        const key =
          outcome instanceof Failure ? outcome.key : outcome instanceof ScriptException ? 'exception' : outcome;
        expect([failure].flat()).toContain(key);
      } else if (outcome instanceof Error) throw outcome;
      else expect(outcome).toMatchObject({ returned: JSON.stringify(returned) });
      expect((await engine.run(testRun(simpleScripts[type.name]).run)).returned).toBe('{"ok":1}');
    });
  });
}

/** What an engine of this process starts, and what that starts. */
function isOfScript(pid: number): boolean {
  try {
    return /sluice|setsid|sleep/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}
