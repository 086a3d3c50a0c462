import { useEffect, useRef, useState } from 'react';
import { api } from '../api/index.ts';
import { text } from '../text/index.ts';
import { notify } from '../ui/index.ts';
import { contentTypes, formatOf, type ImportOutcome, readImportOutcome, type TransferFormat } from './transfer.ts';
import type { ListController } from './use-list-controller.ts';

/** A file that is being taken in, or was refused. */
interface Attempt {
  name: string;
  size: number;
  format: TransferFormat;
  content: ArrayBuffer;
  /** CSV with prefixes before what a spreadsheet would run: they are taken off. */
  isForSpreadsheet: boolean;
}

type Progress =
  | { state: 'idle'; problem: string | null }
  | { state: 'running'; attempt: Attempt }
  | { state: 'refused'; attempt: Attempt; error: unknown; outcome: ImportOutcome | null };

const idle: Progress = { state: 'idle', problem: null };

/**
 * Takes a file of records in: the file is the body, as it is (PPL-054, PPL-061). A file that was stopped by a record can
 * go on without those that fail; it is sent again whole, so it suits records that cannot be there twice.
 */
export function useImport(list: ListController, path: string, imported: string) {
  const [isOpen, setOpen] = useState(false);
  const [progress, setProgress] = useState<Progress>(idle);
  const [isForSpreadsheet, setForSpreadsheet] = useState(true);

  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  const send = async (attempt: Attempt, alreadyImported: number | null) => {
    setProgress({ state: 'running', attempt });
    try {
      await api.post(path, {
        body: attempt.content,
        headers: { 'Content-Type': contentTypes[attempt.format] },
        query: {
          continue: alreadyImported === null ? undefined : true,
          spreadsheet: attempt.format === 'csv' && attempt.isForSpreadsheet ? true : undefined,
        },
      });
      finish();
    } catch (error) {
      const outcome = readImportOutcome(error, alreadyImported === null, alreadyImported ?? 0);
      if (outcome?.failed.length === 0) return finish();
      setProgress({ state: 'refused', attempt, error, outcome });
      // The dialog may have been closed meanwhile: the failure has to be seen.
      setOpen(true);
      notify.error('', error);
    } finally {
      // A person who went on to another screen stays there; the list is read again when they come back.
      await (isMounted.current ? list.reset() : list.refresh());
    }
  };
  const finish = () => {
    setProgress(idle);
    setOpen(false);
    notify.success(imported);
  };
  const showProblem = (problem: string) => {
    setProgress({ state: 'idle', problem });
    notify.error('', problem);
  };

  return {
    isOpen,
    progress,
    /** Whether CSV is of our own export, which is for spreadsheets; it stays as it was left from one file to the next. */
    isForSpreadsheet,
    setForSpreadsheet,
    open: () => setOpen(true),
    /** While a file is under way this only hides it. */
    close: () => {
      setOpen(false);
      setProgress((progress) => (progress.state === 'running' ? progress : idle));
    },
    importFiles: async (files: readonly File[]) => {
      const [file] = files;
      if (!file || progress.state === 'running') return;
      if (files.length > 1) return showProblem(text('list:import.oneFile'));
      const format = formatOf(file.name);
      if (!format) return showProblem(text('list:import.wrongFormat'));
      const content = await file.arrayBuffer().catch(() => null);
      if (!content) return showProblem(text('list:import.unreadable'));
      await send({ name: file.name, size: file.size, format, content, isForSpreadsheet }, null);
    },
    continueImport: async () => {
      if (progress.state === 'refused') await send(progress.attempt, progress.outcome?.imported ?? 0);
    },
  };
}

export type ImportController = ReturnType<typeof useImport>;
