import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/index.ts';
import {
  appPackageEnding,
  isAppPackage,
  noSource,
  type PackageSource,
  packageOf,
  sourceProblem,
  usePackageUpload,
} from '../../packages/index.ts';
import { text } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';
import { useUnsavedGuard } from '../../unsaved/index.ts';
import { isOfSection } from './address.ts';

/** What a server tells of an import, by level (contract/packages.md §4). */
export type ImportLog = readonly { level: 'error' | 'warning' | 'notice'; messages: readonly string[] }[];

export type ImportOutcome =
  | { state: 'imported'; log: ImportLog }
  /** Nothing was imported: everything was there, say. */
  | { state: 'nothing'; log: ImportLog }
  /** A package of an app. */
  | { state: 'app'; name: string; id: unknown }
  | { state: 'refused'; error: unknown };

/** Packages of an instance, and of an app. */
export const packageEndings = ['.zip', appPackageEnding];
const levels = ['error', 'warning', 'notice'] as const;

/** The import: its form, how far it is, and what came of it. It outlives a look at the other tab. */
export function useImport() {
  const client = useQueryClient();
  const [source, setSource] = useState<PackageSource>(noSource);
  const [overwrites, setOverwrites] = useState(false);
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<{ source?: string; password?: string }>({});
  const [outcome, setOutcome] = useState<ImportOutcome | null>(null);
  const { upload, send, cancel } = usePackageUpload();
  const isDirty = source !== noSource || upload !== null;
  useUnsavedGuard({
    isDirty,
    // What is under way goes on.
    isLostBetween: (_from, next) => source !== noSource && upload === null && !isOfSection(next),
    question: () => ({ message: text('packages:import.leave') }),
  });

  const clear = () => {
    setSource(noSource);
    setOverwrites(false);
    setPassword('');
    setErrors({});
  };

  const run = async (): Promise<boolean> => {
    const problem = sourceProblem(source, packageEndings);
    const chosen = packageOf(source);
    if (problem || !chosen) {
      setErrors({ source: text(`packages:import.problems.${problem ?? 'missing'}`) });
      return false;
    }
    setErrors({});
    setOutcome(null);
    const body = new FormData();
    if ('file' in chosen) body.append('files', chosen.file, chosen.file.name);
    else body.append('import_url', chosen.address);
    const size = 'file' in chosen ? chosen.file.size : 0;
    try {
      // A package of an app has no password, and replaces nothing.
      const query = isAppPackage(source) ? {} : { password: password || undefined, overwrite: overwrites };
      const answer = await send('system/package', body, size, query);
      if (answer === undefined) return true;
      const next = outcomeOf(answer);
      setOutcome(next);
      if (next.state === 'nothing')
        notify.error(
          text('packages:import.failed'),
          next.log.flatMap(({ messages }) => messages)[0] ?? text('packages:import.nothing'),
        );
      else {
        notify.success(text('packages:import.done'));
        clear();
      }
    } catch (error) {
      setOutcome({ state: 'refused', error });
      if (isWrongPassword(error)) setErrors({ password: describe(error) });
      notify.error(text('packages:title'), error);
    } finally {
      // OPEN-220: it is typed again for another try.
      setPassword('');
      // What came in is read again wherever it is shown.
      await client.invalidateQueries();
    }
    return true;
  };

  return {
    ...{ source, overwrites, password, errors, outcome, upload, isDirty, cancel, run },
    setSource: (next: PackageSource) => {
      setSource(next);
      setErrors(({ password }) => (password ? { password } : {}));
    },
    setOverwrites,
    setPassword: (next: string) => {
      setPassword(next);
      setErrors(({ source }) => (source ? { source } : {}));
    },
    clear: () => {
      clear();
      setOutcome(null);
    },
  };
}

export type ImportController = ReturnType<typeof useImport>;

/** Reads what a server answered; `log` is an empty list where there is nothing to tell. */
export function outcomeOf(answer: unknown): ImportOutcome {
  const { success, log, name, id } = (answer ?? {}) as Record<string, unknown>;
  if (success === undefined && typeof name === 'string') return { state: 'app', name, id };
  const byLevel = (log ?? {}) as Record<string, unknown>;
  const entries = levels.flatMap((level) => {
    const messages = byLevel[level];
    return Array.isArray(messages) && messages.length > 0 ? [{ level, messages: messages.map(String) }] : [];
  });
  return { state: success === true ? 'imported' : 'nothing', log: entries };
}

/** The refusals that a password is about, by the words of the contract. */
const isWrongPassword = (error: unknown): boolean =>
  error instanceof ApiError &&
  /^(Invalid password\.|Cannot read package manifest\. A valid password)/.test(error.original);
const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));
