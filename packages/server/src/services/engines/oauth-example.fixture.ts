// Services that people sign in by, for the tests that call every type: providers of one's own that nobody is at.
import type { ServiceExample } from '../example.fixture.ts';

const own = { client_id: 'sluice', client_secret: 'a secret', redirect_url: 'http://127.0.0.1:9/login' };

export const exampleOfProvider: ServiceExample = {
  prepare: async () => ({
    config: {
      ...own,
      custom_provider: true,
      auth_endpoint: 'https://provider.example/authorize',
      token_endpoint: 'https://provider.example/token',
      user_endpoint: 'https://provider.example/user',
    },
  }),
};

export const exampleOfOidc: ServiceExample = {
  prepare: async () => ({
    config: {
      ...own,
      auth_endpoint: 'https://provider.example/authorize',
      token_endpoint: 'https://provider.example/token',
      user_endpoint: 'https://provider.example/user',
      scopes: 'openid',
    },
  }),
};

export const exampleOfAzure: ServiceExample = {
  prepare: async () => ({ config: { ...own, tenant_id: 'common' } }),
};
