// What an import says of its steps (contract/packages.md §4).

export type ImportLevel = 'notice' | 'warning' | 'error';

export interface ImportLog {
  add(level: ImportLevel, text: string): void;
  /** Counts something that was imported. */
  count(): void;
  readonly imported: number;
  /** Those of a level. */
  texts(level: ImportLevel): readonly string[];
  /** As answered: an empty list, or texts by level. */
  value(): unknown;
}

/** Texts of one level; of further ones the log has the number. */
const maxTexts = 1_000;
const levels: readonly ImportLevel[] = ['notice', 'warning', 'error'];

/** An empty log, or one that goes on from another. */
export function createImportLog(): ImportLog {
  const texts = new Map<ImportLevel, string[]>();
  const left = new Map<ImportLevel, number>();
  let imported = 0;
  return {
    add(level, text) {
      const list = texts.get(level) ?? [];
      texts.set(level, list);
      if (list.length < maxTexts) list.push(text.slice(0, 2_000));
      else left.set(level, (left.get(level) ?? 0) + 1);
    },
    count() {
      imported += 1;
    },
    get imported() {
      return imported;
    },
    texts: (level) => texts.get(level) ?? [],
    value() {
      const used = levels.filter((level) => texts.has(level));
      if (used.length === 0) return [];
      return Object.fromEntries(
        used.map((level) => {
          const more = left.get(level);
          return [level, [...(texts.get(level) ?? []), ...(more === undefined ? [] : [`… and ${more} more.`])]];
        }),
      );
    },
  };
}
