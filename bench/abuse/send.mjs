// Sends nasty calls over sockets of their own, with the manners of callers that no HTTP client has.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds that a call may take before its caller gives up. */
const patience = 8000;
/** Milliseconds that those stay who hold a connection. */
const stay = 1500;
/** The nasty come from an address of their own, so that bounds of an address are theirs. */
const nastyAddress = '127.0.0.66';

/**
 * Sends a call of the corpus to an instance as one of its people, on as many connections as it says; resolves when all are
 * over, to the status of each answer that came (0: none).
 * @param {{ url: string, people: Record<string, Record<string, string>> }} world
 */
export async function send(world, call, service) {
  const bytes = call.raw ?? request(call, world.people[call.by], service);
  const { hostname: host, port } = new URL(world.url);
  const statuses = Array.from({ length: call.sockets ?? 1 }, () =>
    manners[call.manner ?? 'whole']({ host, port: Number(port) }, bytes, call),
  );
  return Promise.all(statuses);
}

function request({ method, path, type = 'application/json', accept, headers = {}, body, times = 1 }, person, service) {
  const content = body ? Buffer.from(body()) : undefined;
  const lines = {
    Host: 'abuse',
    ...person,
    ...(accept && { Accept: accept }),
    ...(content && { 'Content-Type': type, 'Content-Length': content.length }),
    ...headers,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  const one = (last) =>
    Buffer.concat([
      Buffer.from(
        `${method} /api/v2/${path.replaceAll('{db}', service)} HTTP/1.1\r\n${head.join('')}${last ? 'Connection: close\r\n' : ''}\r\n`,
      ),
      content ?? Buffer.alloc(0),
    ]);
  return Buffer.concat([...Array.from({ length: times - 1 }, () => one(false)), one(true)]);
}

const manners = {
  /** Sends all and reads all. */
  whole: (place, bytes) => converse(place, patience, (socket) => socket.write(bytes)),
  /** Reads nothing. */
  unread: (place, bytes) =>
    converse(place, stay, (socket) => {
      socket.pause();
      socket.write(bytes);
    }),
  /** Reads a little now and then. */
  drips: (place, bytes) =>
    converse(place, 2 * stay, async (socket, isOver) => {
      socket.pause();
      socket.write(bytes);
      while (!isOver()) {
        await sleep(100);
        socket.read(1000);
      }
    }),
  /** Goes away while it is being served. */
  leaves: (place, bytes) => converse(place, 100, (socket) => socket.write(bytes)),
  /** Sends all, closes its half, and stays. */
  'half-closed': (place, bytes) => converse(place, stay, (socket) => socket.end(bytes)),
  /** Announces a long body and sends a kilobyte of it now and then. */
  'sends-slowly': (place, bytes) =>
    converse(place, 2 * stay, async (socket, isOver) => {
      socket.write(bytes);
      while (!isOver()) {
        socket.write(`"${'x'.repeat(1000)}",`);
        await sleep(100);
      }
    }),
};

/** A connection that is over when the server closes it or the time is up; resolves to the status of the first answer. */
function converse({ host, port }, time, act) {
  return new Promise((resolve) => {
    let status = 0;
    let isOver = false;
    const socket = connect({ host, port, localAddress: nastyAddress, allowHalfOpen: true });
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      socket.destroy();
      resolve(status);
    };
    const timer = setTimeout(end, time);
    socket.on('error', end).on('close', end).on('end', end);
    socket.once('data', (data) => {
      status = Number(/^HTTP\/1\.1 (\d{3})/.exec(data.subarray(0, 20).toString('latin1'))?.[1] ?? 0);
    });
    socket.once('connect', () => act(socket, () => isOver));
  });
}
