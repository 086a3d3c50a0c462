// What an instance logs and where to: standard output, and a file that the seeded service `logs` shows (log-file.ts).
import { join } from 'node:path';
import { type Level, type Logger, multistream, pino } from 'pino';
import { PinoPretty as pretty } from 'pino-pretty';
import type { Settings } from '../settings/index.ts';
import { openLogFile } from './log-file.ts';

export interface StartedLog {
  log: Logger;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}

/** The folder of the log files: the container that the service `logs` is seeded with. Undefined where no file is written. */
export const logFolder = ({ data, log, logFiles }: Settings): string | undefined =>
  log === 'silent' || logFiles === 0 ? undefined : join(data, 'files', 'logs');

/** Keys and tokens are never logged; `redact` removes what a library might log by itself. */
export function startLog(settings: Settings): StartedLog {
  const { log: level, logFormat } = settings;
  const options = { level, base: null, redact: ['headers', 'req.headers', '*.password', '*.token', '*.api_key'] };
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stdout.isTTY === true);
  const output = isPretty ? pretty({ translateTime: 'HH:MM:ss', ignore: 'reqId' }) : pino.destination(1);
  const folder = logFolder(settings);
  if (folder === undefined) return { log: pino(options, output), close: async () => {} };
  const outputOnly = pino(options, output);
  const file = openLogFile({
    folder,
    maxBytes: settings.logFileSize,
    maxFiles: settings.logFiles,
    onFailure: (error) => outputOnly.warn({ err: error }, 'The log file cannot be written; the log goes on here.'),
  });
  const streams = [output, file].map((stream) => ({ stream, level: level as Level }));
  return { log: pino(options, multistream(streams)), close: file.close };
}
