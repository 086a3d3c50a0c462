// A service of each code host, with a repository that tests read.
import { type CodeHostName, type CodeHostServer, codeHostAccount, startCodeHost } from '@sluice/testkit/code-hosts';
import type { ServiceExample } from '../services/example.fixture.ts';

/** The configuration of a service that leads to a server. */
export const configOf = (host: CodeHostName, { base }: Pick<CodeHostServer, 'base'>): Record<string, unknown> => {
  const { vendor, token } = codeHostAccount;
  return host === 'gitlab' ? { base_url: base, namespace: vendor, token } : { vendor, token, base_url: base };
};

export const exampleOfHost = (host: CodeHostName): ServiceExample => ({
  values: { repo: 'app', path: 'note.txt' },
  needsServer: true,
  async prepare() {
    const server = await startCodeHost(host, { app: { master: { 'note.txt': 'a note' } } });
    return { config: configOf(host, server), release: server.stop };
  },
});
