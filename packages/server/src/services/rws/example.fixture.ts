import type { ServiceExample } from '../example.fixture.ts';
import { startRemote } from './remote.fixture.ts';

export const example: ServiceExample = {
  async prepare() {
    const remote = await startRemote((_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end('{"answer":"yes"}');
    });
    return { config: { base_url: remote.url }, release: () => remote.stop() };
  },
};
