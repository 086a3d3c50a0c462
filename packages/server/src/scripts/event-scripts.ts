// The active event scripts by name, in memory: which there are is known to each call without a look at the store.
import type { ScriptTypeName } from '@sluice/contract';
import { LRUCache } from 'lru-cache';
import type { Call } from '../call/call.ts';
import { affects, createTableCache, type Store } from '../store/index.ts';
import { cachedLinkedScript, isLinked, type LinkedParts, maxLinkedScript } from './linked.ts';

export interface EventScript {
  name: string;
  type: ScriptTypeName;
  content: string;
  allowsModification: boolean;
  /** As it was written; of a queued one, `delay` counts. */
  config: unknown;
}

export type ScriptDescription = Omit<EventScript, 'content'>;

/** Those that there are: names in lower case, with the spelling of the store. */
interface ScriptNames {
  byName: ReadonlyMap<string, string>;
  /** The services that any of them is for. */
  services: ReadonlySet<string>;
}

export interface EventScripts {
  /** Whether a service may have a script; true while that is being looked up. */
  mayListen(service: string): boolean;
  names(): Promise<ReadonlyMap<string, string>>;
  /**
   * The script of a name as the store spells it; undefined where it is gone. One that lies elsewhere is loaded as the caller,
   * and throws `script.notLoaded` where that fails.
   */
  load(name: string, call: Call): Promise<EventScript | undefined>;
  /** The script without its text, which nothing loads. */
  describe(name: string): Promise<ScriptDescription | undefined>;
}

/** A script in memory, and how its text is come by. */
interface KeptScript {
  script: ScriptDescription;
  content: string | ((call: Call) => Promise<string>);
}

/** Characters of scripts that are kept. */
const maxText = 32 * 1024 * 1024;

export async function createEventScripts(
  { db, bus }: Pick<Store, 'db' | 'bus'>,
  linked: LinkedParts,
): Promise<EventScripts> {
  const scripts = new LRUCache<string, KeptScript>({
    maxSize: maxText,
    // Of one that lies elsewhere the size is known once it is loaded: it takes the place of the longest.
    sizeCalculation: ({ content }) => (typeof content === 'string' ? content.length : maxLinkedScript) + 200,
  });
  const names = createTableCache(bus, 'event_script', () => readNames(db));
  let changes = 0;
  bus.subscribe((change) => {
    if (!affects(change, 'event_script')) return;
    changes += 1;
    scripts.clear();
  });
  await names.get();

  async function readKept(name: string): Promise<KeptScript | undefined> {
    const changesBefore = changes;
    const row = await db
      .selectFrom('event_script')
      .select(['name', 'type', 'content', 'config', 'allow_event_modification'])
      .select(['storage_service_id', 'storage_path', 'scm_repository', 'scm_reference'])
      .where('name', '=', name)
      .where('is_active', '=', 1)
      .executeTakeFirst();
    if (!row) return undefined;
    const { content, config, allow_event_modification, type, name: spelled, ...link } = row;
    const kept: KeptScript = {
      script: {
        ...{ name: spelled, type: type as ScriptTypeName, allowsModification: allow_event_modification === 1 },
        config: config === null ? null : JSON.parse(config),
      },
      content: isLinked(link) ? cachedLinkedScript(link, linked, spelled) : (content ?? ''),
    };
    // Not where one was changed meanwhile.
    if (changes === changesBefore) scripts.set(name, kept);
    return kept;
  }

  return {
    mayListen: (service) => names.peek()?.services.has(service) ?? true,
    names: async () => (await names.get()).byName,
    describe: async (name) => (scripts.get(name) ?? (await readKept(name)))?.script,
    async load(name, call) {
      const kept = scripts.get(name) ?? (await readKept(name));
      if (!kept) return undefined;
      const { script, content } = kept;
      return { ...script, content: typeof content === 'string' ? content : await content(call) };
    },
  };
}

async function readNames(db: Store['db']): Promise<ScriptNames> {
  const rows = await db.selectFrom('event_script').select('name').where('is_active', '=', 1).execute();
  const byName = new Map(rows.map(({ name }) => [name.toLowerCase(), name]));
  return { byName, services: new Set([...byName.keys()].map((name) => name.split('.')[0] as string)) };
}
