// Containers of Swift as file services.
import { startSwiftServer, swiftAccount } from '@sluice/testkit/file-servers';
import { describeFileService } from '../../storage/file-service-suite.fixture.ts';
import { shortPages } from '../../storage/objects.fixture.ts';

const { username, tenant_name, password } = swiftAccount;

describeFileService(
  'openstack_object_storage',
  async () => {
    const { url, stop } = await startSwiftServer();
    const config = { username, tenant_name, password, url: `${url}/v3`, region: 'RegionOne', container: 'box' };
    return { config, stop };
  },
  shortPages(),
);
