// Which test files speak to the real server over the wire. Lint keeps what starts one out of everything but tests.

/** What starts the real server: the testkit's, in the process of the test, and the one in a process of its own. */
const starters = ['startPlatform', 'startProcess'];

/**
 * Whether a file, or one of ours it imports, imports what starts the real server; the import of a type starts nothing.
 * `read` gives the text of a path in the repository, undefined when there is no such file.
 */
export function startsServer(path, read, seen = new Set()) {
  if (seen.has(path)) return false;
  seen.add(path);
  return importsOf(read(path) ?? '').some(({ names, from }) => {
    if (names.some((name) => starters.includes(name))) return true;
    const file = resolve(from, path);
    return file !== undefined && startsServer(file, read, seen);
  });
}

/** The imports of values: the names taken, and from where. */
function importsOf(source) {
  return [...source.matchAll(/^import\s+(?!type\b)([^;'"]*?)\s*from\s+'([^']+)'/gm)].map(([, bindings, from]) => ({
    // Of `type Name` this takes the word `type`, which starts nothing.
    names: [...bindings.matchAll(/[{,]\s*(\w+)/g)].map(([, name]) => name),
    from,
  }));
}

/** A path in the repository for what is imported by a path or from the testkit; packages of others lead nowhere. */
function resolve(from, importer) {
  const kit = /^@sluice\/testkit(?:\/(.+))?$/.exec(from);
  if (kit) return `packages/testkit/src/${kit[1] ?? 'index'}.ts`;
  return from.startsWith('.') ? new URL(from, `file:///${importer}`).pathname.slice(1) : undefined;
}
