// A service of each type for the tests that call every type by themselves. services/<type>/example.fixture.ts exports
// `example` where the defaults of a configuration do not make a service that answers.
import { existsSync } from 'node:fs';
import type { TestPlatform } from '@sluice/testkit/platform';
import type { ServiceType } from '../service/service.ts';

export interface ServiceExample {
  /** Values for placeholders of its addresses, by name; a record that is not there stands for any other. */
  values?: Readonly<Record<string, string>>;
  /** It needs a server. Tests of made-up inputs call it in their long form only. */
  needsServer?: true;
  /** Why there is none on this machine. */
  missing?(): Promise<string | undefined>;
  /** Makes what the service leads to, and answers its configuration. */
  prepare(platform: Pick<TestPlatform, 'folder'>): Promise<PreparedExample>;
}

export interface PreparedExample {
  config: Record<string, unknown>;
  /** Takes away what was made outside of the platform's folder. */
  release?(): Promise<void>;
}

const withDefaults: ServiceExample = { prepare: async () => ({ config: {} }) };

/** The example of a type. */
export async function exampleOf(type: string): Promise<ServiceExample> {
  if (!existsSync(new URL(`./${type}/example.fixture.ts`, import.meta.url))) return withDefaults;
  const { example } = (await import(`./${type}/example.fixture.ts`)) as { example: ServiceExample };
  return example;
}

/** What singletons are called whose name is another than that of their type. */
const seeded = new Map([['swagger', 'api_docs']]);

/** Makes the example of a type, called `name`; a singleton is there already. Answers what the service is called. */
export async function makeExample(
  platform: TestPlatform,
  { name: type, singleton }: Pick<ServiceType, 'name' | 'singleton'>,
  name: string = type,
): Promise<{ service: string; release?: PreparedExample['release'] }> {
  if (singleton) return { service: seeded.get(type) ?? type };
  const { config, release } = await (await exampleOf(type)).prepare(platform);
  await platform.create('service', { name, label: type, type, is_active: true, config });
  return { service: name, release };
}
