// Containers of blobs as file services, on a server of Azure's protocol.
import { azureAccount, startAzureServer } from '@sluice/testkit/file-servers';
import { describeFileService } from '../../storage/file-service-suite.fixture.ts';
import { shortPages } from '../../storage/objects.fixture.ts';

describeFileService(
  'azure_blob',
  async () => {
    const { url, stop } = await startAzureServer();
    return { config: { ...azureAccount, protocol: 'http', container: 'box', endpoint: url }, stop };
  },
  shortPages(),
);
