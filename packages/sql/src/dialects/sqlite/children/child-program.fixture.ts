import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';

let path: string | undefined;

/**
 * The program of the child process as a bundle, as the build of the server makes one: it starts several times as fast
 * as the source, which runs through tsx. It lies where it finds the packages it needs, under a name made of its content.
 */
export function childProgram(): string {
  path ??= bundle();
  return path;
}

/** Writes a program to the path that does what the code says: `onRequest(take)` and `answer(message)` are there. */
export function writeProgram(path: string, code: string): string {
  const contents = `import { Socket } from 'node:net';
    import { receiveMessages, sendMessage } from './channel.ts';
    const socket = new Socket({ fd: 3 });
    socket.on('close', () => process.exit());
    const onRequest = (take) => receiveMessages(socket, take);
    const answer = (message) => sendMessage(socket, message);
    ${code}`;
  writeFileSync(path, build({ stdin: { contents, resolveDir: import.meta.dirname } }));
  return path;
}

function bundle(): string {
  const contents = build({ entryPoints: [fileURLToPath(new URL('./child.ts', import.meta.url))] });
  const folder = fileURLToPath(new URL('../../../../../../node_modules/.cache/sluice/', import.meta.url));
  const program = `${folder}child-${createHash('sha256').update(contents).digest('hex').slice(0, 16)}.mjs`;
  mkdirSync(folder, { recursive: true });
  // Other tests may be about to write or to run the same file.
  const draft = `${program}.${randomUUID()}`;
  writeFileSync(draft, contents);
  renameSync(draft, program);
  return program;
}

function build(options: BuildOptions): Uint8Array {
  const common = { bundle: true, platform: 'node', format: 'esm', target: 'node20', write: false } as const;
  const [output] = buildSync({ ...options, ...common }).outputFiles;
  if (!output) throw new Error('esbuild made nothing of the child process');
  return output.contents;
}
