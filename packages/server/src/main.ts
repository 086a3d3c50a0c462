// Starts the instance: settings, platform, web server, first lines on the terminal; and stops it in order.
import type { AddressInfo } from 'node:net';
import { createPlatform } from './app.ts';
import { openAppsPort } from './http/apps.ts';
import { createWebServer } from './http/server.ts';
import { stopServer } from './http/stopping.ts';
import { ownAddress, readSettings } from './settings/index.ts';
import { StartError } from './settings/start-error.ts';

async function start(): Promise<void> {
  const settings = readSettings(process.env, process.argv.slice(2));
  const { platform, setupCode, close } = await createPlatform(settings);
  const server = await createWebServer(platform);
  let appsLine: string;
  try {
    await server.listen({ host: settings.host, port: settings.port });
    appsLine = await openAppsPort(server, settings);
  } catch (error) {
    await server.close();
    await close();
    throw error instanceof StartError ? error : listenError(error as NodeJS.ErrnoException, settings);
  }
  const { port } = server.addresses()[0] as AddressInfo;
  const ready = `Sluice is ready at ${ownAddress({ ...settings, port })}`;

  const stop = async (drainSeconds: number) => {
    if (server.stopping.isAnnounced) return;
    setTimeout(() => process.exit(1), (drainSeconds + settings.stopSeconds) * 1000).unref();
    await stopServer(server, drainSeconds);
    await close();
    process.exit(0);
  };
  process.on('SIGTERM', () => stop(settings.drainSeconds));
  // From a terminal: there is no proxy to notify.
  process.on('SIGINT', () => stop(0));
  // In one write: a program that waits for the first line gets the second with it.
  const setup = setupCode && `No administrator yet: open that address and enter the set-up code ${setupCode}`;
  printLine([ready, setup, appsLine].filter(Boolean).join('\n'));
}

/** Writes a line for a person; the log is separate. */
const printLine = (line: string) => process.stdout.write(`${line}\n`);

function listenError(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): Error {
  if (error.code === 'EADDRINUSE')
    return new StartError(`Port ${port} on ${host} is taken. Choose another with --port or SLUICE_PORT.`);
  if (error.code === 'EACCES')
    return new StartError(
      `Port ${port} may not be opened by this user. Choose one above 1023 with --port or SLUICE_PORT.`,
    );
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new StartError(`This machine has no address ${host}. Set SLUICE_HOST to one it has.`);
  return error;
}

start().catch((error: unknown) => {
  process.stderr.write(
    error instanceof StartError ? `Sluice cannot start: ${error.message}\n` : `${(error as Error).stack}\n`,
  );
  process.exit(1);
});
