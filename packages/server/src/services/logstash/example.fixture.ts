import { createSocket } from 'node:dgram';
import type { ServiceExample } from '../example.fixture.ts';

export const example: ServiceExample = {
  async prepare() {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return {
      config: { host: '127.0.0.1', port: socket.address().port, protocol: 'gelf' },
      release: async () => void socket.close(),
    };
  },
};
