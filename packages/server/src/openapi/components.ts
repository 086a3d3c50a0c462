// The parts that operations of a document share. One is made when it is first referred to, so what nothing refers to is not there.
import type { MaybePromise } from '@sluice/contract';
import { pause } from '@sluice/sql';

export const sections = ['parameters', 'requestBodies', 'responses', 'schemas'] as const;
export type Section = (typeof sections)[number];

/** Makes a component; it may refer to others. */
type Make = () => MaybePromise<unknown>;

const bySection = <T>(make: () => T) =>
  Object.fromEntries(sections.map((section) => [section, make()])) as Record<Section, T>;

export class Components {
  /** References that were given, by section and key. */
  private readonly references = bySection(() => new Map<string, { $ref: string }>());
  private readonly taken = new Set<string>();
  private readonly waiting = bySection((): [name: string, make: Make][] => []);

  /** A reference to the component of a key. Its name is `text` where that is a name and free, else something like it. */
  ref(section: Section, key: string, text: string, make: Make): { readonly $ref: string } {
    const existing = this.references[section].get(key);
    if (existing) return existing;
    const name = this.freeName(section, text);
    const reference = { $ref: `#/components/${section}/${name}` };
    this.references[section].set(key, reference);
    this.waiting[section].push([name, make]);
    return reference;
  }

  private freeName(section: Section, text: string): string {
    const base = text.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 200) || '_';
    let name = base;
    for (let count = 2; this.taken.has(`${section}/${name}`); count += 1) name = `${base}_${count}`;
    this.taken.add(`${section}/${name}`);
    return name;
  }

  /** Makes what is referred to in a section, what others of it refer to included. Sections are made in the order of `sections`. */
  async *make(section: Section): AsyncGenerator<[name: string, component: unknown]> {
    const waiting = this.waiting[section];
    for (let index = 0; index < waiting.length; index += 1) {
      await pause();
      const [name, make] = waiting[index] as [string, Make];
      yield [name, await make()];
    }
  }
}
