import type { ServiceExample } from '../example.fixture.ts';
import { startSoapServer } from './soap-server.fixture.ts';

export const example: ServiceExample = {
  values: { operation: 'Add' },
  async prepare() {
    const server = await startSoapServer();
    return { config: { wsdl: `${server.url}/wrapped?wsdl` }, release: () => server.stop() };
  },
};
