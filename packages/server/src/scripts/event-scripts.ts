// The active event scripts by name, in memory: which there are is known to each call without a look at the store.
import type { ScriptTypeName } from '@sluice/contract';
import { LRUCache } from 'lru-cache';
import { affects, createTableCache, type Store } from '../store/index.ts';

export interface EventScript {
  name: string;
  type: ScriptTypeName;
  content: string;
  allowsModification: boolean;
}

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
  /** The script of a name as the store spells it; undefined where it is gone. */
  load(name: string): Promise<EventScript | undefined>;
}

/** Characters of scripts that are kept. */
const maxText = 32 * 1024 * 1024;

export async function createEventScripts({ db, bus }: Pick<Store, 'db' | 'bus'>): Promise<EventScripts> {
  const scripts = new LRUCache<string, EventScript>({
    maxSize: maxText,
    sizeCalculation: ({ content }) => content.length + 200,
  });
  const names = createTableCache(bus, 'event_script', () => readNames(db));
  let changes = 0;
  bus.subscribe((change) => {
    if (!affects(change, 'event_script')) return;
    changes += 1;
    scripts.clear();
  });
  await names.get();

  return {
    mayListen: (service) => names.peek()?.services.has(service) ?? true,
    names: async () => (await names.get()).byName,
    async load(name) {
      const kept = scripts.get(name);
      if (kept) return kept;
      const changesBefore = changes;
      const row = await db
        .selectFrom('event_script')
        .select(['name', 'type', 'content', 'allow_event_modification'])
        .where('name', '=', name)
        .where('is_active', '=', 1)
        .executeTakeFirst();
      if (!row) return undefined;
      const script = {
        name: row.name,
        type: row.type as ScriptTypeName,
        content: row.content ?? '',
        allowsModification: row.allow_event_modification === 1,
      };
      // Not where one was changed meanwhile.
      if (changes === changesBefore) scripts.set(name, script);
      return script;
    },
  };
}

async function readNames(db: Store['db']): Promise<ScriptNames> {
  const rows = await db.selectFrom('event_script').select('name').where('is_active', '=', 1).execute();
  const byName = new Map(rows.map(({ name }) => [name.toLowerCase(), name]));
  return { byName, services: new Set([...byName.keys()].map((name) => name.split('.')[0] as string)) };
}
