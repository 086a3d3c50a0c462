// A stretch of network between a test and a server, which can break in the ways networks do; only for tests.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface Cable {
  port: number;
  /** Breaks every connection and lets no new one in, until `mend`. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Carries nothing any more, without either side being told, as a cable that was pulled. */
  freeze(): void;
}

export async function cableTo(host: string, port: number): Promise<Cable> {
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    return socket;
  };
  let server: Server;
  const listen = async (at: number) => {
    server = createServer((near) => {
      const far = track(connect(port, host));
      track(near).pipe(far).pipe(near);
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
    });
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const own = await listen(0);
  return {
    port: own,
    async cut() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    mend: async () => void (await listen(own)),
    freeze() {
      for (const socket of sockets) socket.unpipe();
      for (const socket of sockets) socket.pause();
    },
  };
}
