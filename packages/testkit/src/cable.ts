// A stretch of network between a test and a server, which can break in the ways networks do.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface Cable {
  port: number;
  /** Breaks every connection and lets no new one in, until `mend`. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Carries nothing any more and tells neither side, like a cable that was pulled. */
  freeze(): void;
}

export async function openCable(host: string, port: number): Promise<Cable> {
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    return socket;
  };
  let server: Server;
  const listen = async (listenPort: number) => {
    server = createServer((near) => {
      const far = track(connect(port, host));
      track(near).pipe(far).pipe(near);
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
    });
    server.listen(listenPort, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const ownPort = await listen(0);
  return {
    port: ownPort,
    async cut() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    mend: async () => void (await listen(ownPort)),
    freeze() {
      for (const socket of sockets) socket.unpipe();
      for (const socket of sockets) socket.pause();
    },
  };
}
