// A map whose keys know the type of their value: parts that do not know each other share values by a key that both import.

/** A key of a `TypedMap`; made once, where the type of its value is declared. */
export interface Key<T> {
  /** For messages. */
  readonly name: string;
  /** Never set: it carries the type alone. */
  readonly type?: T;
}

export const createKey = <T>(name: string): Key<T> => ({ name });

/** Values by `Key`. */
export class TypedMap {
  private readonly values = new Map<Key<unknown>, unknown>();

  get<T>(key: Key<T>): T | undefined {
    return this.values.get(key) as T | undefined;
  }

  /** As `get`; throws where nobody has set it, which is a bug of ours. */
  require<T>(key: Key<T>): T {
    const value = this.get(key);
    if (value === undefined) throw new Error(`nothing provides ${key.name}`);
    return value;
  }

  /** Sets a value; answers the map, so that several can be set in a row. */
  set<T>(key: Key<T>, value: NoInfer<T>): this {
    this.values.set(key, value);
    return this;
  }
}
