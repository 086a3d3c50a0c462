// A provider that nobody is at, for the tests that call every type.
import type { ServiceExample } from '../example.fixture.ts';

export const example: ServiceExample = {
  prepare: async () => {
    const { makeKeyPair } = await import('@sluice/testkit/saml-provider');
    return {
      config: {
        idp_entityId: 'https://provider.example/metadata',
        idp_singleSignOnService_url: 'https://provider.example/sso',
        idp_x509cert: makeKeyPair().cert,
      },
    };
  },
};
