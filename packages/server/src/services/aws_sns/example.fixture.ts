import type { ServiceExample } from '../example.fixture.ts';
import { startSns } from './sns-server.fixture.ts';

export const example: ServiceExample = {
  values: { id: 'nothing' },
  async prepare() {
    const { base, stop } = await startSns();
    return { config: { key: 'id', secret: 'secret', region: 'eu-west-1', endpoint: base }, release: stop };
  },
};
