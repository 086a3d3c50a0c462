// Where a database server to test with is: named by the environment, else on the default local port, else one of our own.
import { connect } from 'node:net';
import type { Engine, EngineKit, Login } from './engine.ts';
import { startOwnServer } from './own-server.ts';

/** The superuser of a server. One who can only come by socket cannot be handed to a service: it gets a login of its own. */
export interface Access {
  login: Login;
  onlyBySocket: boolean;
}

/** The variable in which tests that keep their stores in an engine find the server for these (store-server.ts). */
export const storeServerVariable = (engine: Engine) => `SLUICE_TEST_STORE_SERVER_${engine.toUpperCase()}`;

const accessByKit = new Map<EngineKit, Promise<Access | undefined>>();

/** The server to use in this process; undefined when there is none and none can be started. Asked for once. */
export function accessTo(kit: EngineKit): Promise<Access | undefined> {
  let access = accessByKit.get(kit);
  if (!access) {
    access = find(kit);
    accessByKit.set(kit, access);
  }
  return access;
}

async function find(kit: EngineKit): Promise<Access | undefined> {
  const isStoreEngine = process.env.SLUICE_TEST_STORE === kit.engine;
  const url = (isStoreEngine && process.env[storeServerVariable(kit.engine)]) || process.env[kit.variable];
  if (url) {
    const login = loginOf(url, kit);
    // What someone names is used or complained about, not silently replaced.
    await kit.run(login, 'select 1').catch((error) => {
      throw new Error(`${kit.variable} names a server that does not answer: ${error.message}`, { cause: error });
    });
    return { login, onlyBySocket: false };
  }
  return (await localServer(kit)) ?? (await ownAccess(kit));
}

/** A server on the default local port that lets us in as its superuser; undefined when there is none. */
export async function localServer(kit: EngineKit): Promise<Access | undefined> {
  const login = { host: '127.0.0.1', port: kit.defaultPort, user: kit.superuser, password: '' };
  if (!(await isOpen(login.port))) return undefined;
  if (await letsIn(kit, login)) return { login, onlyBySocket: false };
  for (const socket of kit.sockets) {
    if (await letsIn(kit, { ...login, socket })) return { login: { ...login, socket }, onlyBySocket: true };
  }
  return undefined;
}

async function ownAccess(kit: EngineKit): Promise<Access | undefined> {
  if (!kit.program()) return undefined;
  const { host, port, user, password } = await startOwnServer(kit);
  return { login: { host, port, user, password }, onlyBySocket: false };
}

const letsIn = (kit: EngineKit, login: Login) =>
  kit.run(login, 'select 1').then(
    () => true,
    () => false,
  );

/** Whether something listens on the port of 127.0.0.1. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const answer = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  });
}

function loginOf(url: string, kit: EngineKit): Login {
  const { hostname, port, username, password } = new URL(url);
  return {
    host: hostname || '127.0.0.1',
    port: Number(port) || kit.defaultPort,
    user: decodeURIComponent(username) || kit.superuser,
    password: decodeURIComponent(password),
  };
}
