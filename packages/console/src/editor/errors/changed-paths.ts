// Which values of a form differ, by their paths. Pure.

/** What is at a path, and whether there is anything: names come from the server, so only own properties count. */
function valueAt(values: unknown, path: string): { value: unknown } | null {
  let value = values;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return { value };
}

/** Those of the paths at which the values differ. One that leads nowhere in both is not known to the form, and stays. */
export const changedPaths = (paths: readonly string[], before: unknown, after: unknown): string[] =>
  before === after
    ? []
    : paths.filter((path) => {
        const [first, second] = [valueAt(before, path), valueAt(after, path)];
        // A form hands back copies of what did not change.
        return JSON.stringify(first) !== JSON.stringify(second);
      });
