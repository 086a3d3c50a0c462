// What a service type says in a language other than English, which its declaration has. The words of a type are in
// words.<language>.ts of its folder; the console collects them when it is built, so those files import nothing but each other.

/** A field of a configuration. */
export interface FieldWords {
  label: string;
  description?: string;
  /** The title of a list of check boxes. */
  legend?: string;
  /** Heads of the columns of a list of objects, by name. */
  items?: Readonly<Record<string, string>>;
}

export interface ServiceTypeWords {
  /** Absent where the English one is a name of its own. */
  label?: string;
  description?: string;
  fields?: Readonly<Record<string, FieldWords>>;
}

/** The words of service types by name. */
export type WordsByType = Readonly<Record<string, ServiceTypeWords>>;
