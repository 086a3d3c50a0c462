import { startRemote } from '../engines/remote.fixture.ts';
import type { ServiceExample } from '../example.fixture.ts';

export const example: ServiceExample = {
  async prepare() {
    const remote = await startRemote((_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end('{"answer":"yes"}');
    });
    return { config: { base_url: remote.url }, release: () => remote.stop() };
  },
};
