// SFTP, FTP, WebDAV, Memcached and MQTT servers to test with, from installed programs: on free ports of 127.0.0.1, those of files serving
// a temporary folder.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, ownFolder } from './databases/own-server.ts';
import { type Account, findProgram, launch } from './databases/programs.ts';
import { selfSignedPair } from './mail-server.ts';

export interface RemoteServer {
  host: string;
  port: number;
  username: string;
  password: string;
  /** What it serves, on this machine. */
  folder: string;
  /** Ends it with SIGKILL, and what it started for open connections; `start` brings it back on its port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

export interface SshServer extends RemoteServer {
  /** The key to sign in with; there is no password. */
  privateKey: string;
  /** The fingerprint of its host key, in a form of ssh-keygen. */
  fingerprint(hash: 'sha256' | 'md5'): string;
}

const adminFolders = ['/usr/sbin', '/usr/local/sbin', '/usr/bin', '/usr/local/bin'];
const startLimit = 20_000;

const files = { sftp: 'sshd', ftp: 'proftpd', webdav: 'rclone' };
const programs = { ...files, memcached: 'memcached', ldap: 'slapd', mqtt: 'mosquitto' };
export const programOf = (kind: keyof typeof programs) => findProgram(programs[kind], adminFolders);

/** Why a server cannot be started here; undefined where it can. */
export const remoteServerMissing = (kind: keyof typeof programs): string | undefined =>
  programOf(kind) ? undefined : `${programs[kind]} is not installed`;

/** An SSH server that takes this user with a key of its own, and serves files alone; `without` names requests it refuses. */
export async function startSshServer({ without }: { without?: string } = {}): Promise<SshServer> {
  const own = ownFolder('');
  const at = (name: string) => join(own.folder, name);
  for (const name of ['host', 'login'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', at(name)]);
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const port = await freePort();
  writeFileSync(
    at('config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${at('host')}`,
      `AuthorizedKeysFile ${at('login.pub')}`,
      `PidFile ${at('pid')}`,
      'AuthenticationMethods publickey',
      'PermitRootLogin prohibit-password',
      'StrictModes no',
      'UsePAM no',
      'MaxStartups 100',
      `ForceCommand internal-sftp ${without ? `-P ${without}` : ''}`,
      'Subsystem sftp internal-sftp',
    ].join('\n'),
  );
  const server = await serve(own, port, [programOf('sftp') as string, '-D', '-e', '-f', at('config')]);
  const print = (hash: string) =>
    execFileSync('ssh-keygen', ['-l', '-E', hash, '-f', at('host.pub')], { encoding: 'utf8' });
  return {
    ...server,
    ...{ username: userInfo().username, password: '', privateKey: readFileSync(at('login'), 'utf8') },
    fingerprint: (hash) => print(hash).split(' ')[1] as string,
  };
}

/** An FTP server with one account. */
export async function startFtpServer(): Promise<RemoteServer> {
  const own = ownFolder('nobody');
  const at = (name: string) => join(own.folder, name);
  const { uid, gid } = own.account ?? userInfo();
  const user = own.account ? 'nobody' : userInfo().username;
  const group = execFileSync('id', ['-gn', user], { encoding: 'utf8' }).trim();
  const password = randomBytes(12).toString('hex');
  const hash = execFileSync('openssl', ['passwd', '-6', '-stdin'], { input: password, encoding: 'utf8' }).trim();
  writeFileSync(at('accounts'), `files:${hash}:${uid}:${gid}::${at('files')}:/bin/false\n`, { mode: 0o600 });
  const port = await freePort();
  const passivePorts = await freePort();
  writeFileSync(
    at('config'),
    [
      `Port ${port}`,
      'ServerName "files"',
      'ServerType standalone',
      'DefaultAddress 127.0.0.1',
      'SocketBindTight on',
      'UseIPv6 off',
      `User ${user}`,
      `Group ${group}`,
      `AuthUserFile ${at('accounts')}`,
      'AuthOrder mod_auth_file.c',
      'RequireValidShell off',
      ...(own.account ? ['DefaultRoot ~'] : []),
      `PidFile ${at('pid')}`,
      'ScoreboardFile none',
      'DelayEngine off',
      'WtmpLog off',
      'TransferLog none',
      `SystemLog ${at('log')}`,
      'UseReverseDNS off',
      'AllowOverwrite on',
      'AllowStoreRestart on',
      'AllowRetrieveRestart on',
      `PassivePorts ${passivePorts} ${passivePorts + 300}`,
    ].join('\n'),
  );
  // The daemon starts as the user we are, and changes to the account of its files by itself.
  const server = await serve(
    { ...own, account: undefined },
    port,
    [programOf('ftp') as string, '-n', '-q', '-c', at('config')],
    own.account,
  );
  return { ...server, username: 'files', password };
}

/** A WebDAV server with one account; its address is `http://host:port/`. */
export async function startWebdavServer(): Promise<RemoteServer> {
  const own = ownFolder('');
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const server = await serve(own, port, [
    ...[programOf('webdav') as string, 'serve', 'webdav', '--addr', `127.0.0.1:${port}`],
    // What tests make past it is seen at once.
    ...['--user', 'files', '--pass', password, '--dir-cache-time', '1ms', '--config', join(own.folder, 'config')],
    join(own.folder, 'files'),
  ]);
  return { ...server, username: 'files', password };
}

/** A Memcached server; it wants no password. */
export async function startMemcached(): Promise<Omit<RemoteServer, 'username' | 'password' | 'folder'>> {
  const port = await freePort();
  // As root it does not run.
  return serve(ownFolder('nobody'), port, [
    ...[programOf('memcached') as string, '-l', '127.0.0.1', '-p', String(port), '-U', '0', '-m', '64'],
  ]);
}

export interface MqttBroker extends Omit<RemoteServer, 'folder'> {
  /** Of the broker when it was started with TLS; for `localhost`. */
  certificate: string;
}

/** A broker of messages with one account; with TLS its certificate signs itself. */
export async function startMosquitto({ tls }: { tls?: true } = {}): Promise<MqttBroker> {
  const own = ownFolder('nobody');
  const at = (name: string) => join(own.folder, name);
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  writeFileSync(at('accounts'), `messages:${password}\n`, { mode: 0o600 });
  execFileSync('mosquitto_passwd', ['-U', at('accounts')], { stdio: 'ignore' });
  const pair = selfSignedPair();
  writeFileSync(at('cert'), pair.cert);
  writeFileSync(at('key'), pair.key, { mode: 0o600 });
  writeFileSync(
    at('config'),
    [
      `listener ${port} 127.0.0.1`,
      ...(tls ? [`certfile ${at('cert')}`, `keyfile ${at('key')}`] : []),
      'allow_anonymous false',
      `password_file ${at('accounts')}`,
      'persistence false',
      'max_queued_messages 10000',
    ].join('\n'),
  );
  const { account } = own;
  if (account) for (const name of ['accounts', 'cert', 'key', 'config']) chownSync(at(name), account.uid, account.gid);
  const server = await serve(own, port, [programOf('mqtt') as string, '-c', at('config')]);
  return { ...server, username: 'messages', password, certificate: pair.cert };
}

/** Runs a server on a port until the tests end. */
export async function serve(
  { folder: home, account, forget }: ReturnType<typeof ownFolder>,
  port: number,
  command: string[],
  owner: Account | undefined = account,
) {
  const folder = join(home, 'files');
  mkdirSync(folder);
  chmodSync(home, 0o755);
  if (owner) chownSync(folder, owner.uid, owner.gid);
  let running: ReturnType<typeof launch> | undefined;
  const end = async () => {
    running?.hold();
    // Those that serve open connections end when their connections do, which our clients notice.
    for (const pid of childrenOf(running?.child.pid)) killQuietly(pid);
    running?.child.kill('SIGKILL');
    await running?.ended;
    running = undefined;
  };
  const start = async () => {
    running = launch(command, home, account);
    for (const limit = Date.now() + startLimit; Date.now() < limit; await wait(20)) {
      if (await listens(port)) return running.letGo();
      if (running.child.exitCode !== null) break;
    }
    throw new Error(`${command[0]} does not start: ${running.output()}`);
  };
  process.once('exit', () => {
    for (const pid of childrenOf(running?.child.pid)) killQuietly(pid);
    running?.child.kill('SIGKILL');
    forget();
  });
  await start();
  const stop = async () => {
    await end();
    forget();
  };
  return { host: '127.0.0.1', port, folder, kill: end, start, stop };
}

/** The processes that a server started for its connections; known on Linux only. */
function childrenOf(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return children === ''
      ? []
      : children
          .split(' ')
          .map(Number)
          .flatMap((child) => [...childrenOf(child), child]);
  } catch {
    return [];
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
