// Pasted data from text to columns, in slices; the last one asked for counts.
import { useEffect, useRef, useState } from 'react';
import { type DataTable, guessColumns } from './columns.ts';
import { hasHeader } from './guess/header.ts';
import { readSheet, type Sheet } from './read/read-data.ts';
import { runInSlices } from './read/slices.ts';

/** Where data comes from: a file with its name, or what was pasted. */
export interface DataSource {
  name: string | null;
  text: string;
}

/** How it is read; what is absent is guessed. */
export interface ReadingChoice {
  format?: Sheet['format'];
  isHeaded?: boolean;
}

export interface LoadedData extends DataTable {
  source: DataSource;
  sheet: Sheet;
  isHeaded: boolean;
}

interface Loading {
  data: LoadedData | null;
  isReading: boolean;
  error: unknown;
}

const idle: Loading = { data: null, isReading: false, error: null };

export function useData(canStoreJson: boolean) {
  const [loading, setLoading] = useState(idle);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const read = async (loadSource: () => Promise<DataSource>, choice: ReadingChoice = {}) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setLoading((before) => ({ ...before, isReading: true, error: null }));
    try {
      const source = await loadSource();
      const sheet = await runInSlices(readSheet(source.text, choice.format), controller.signal);
      const isHeaded = sheet.names !== null || (choice.isHeaded ?? hasHeader(sheet.rows));
      const table = await runInSlices(guessColumns(sheet, isHeaded, canStoreJson), controller.signal);
      setLoading({ data: { ...table, source, sheet, isHeaded }, isReading: false, error: null });
    } catch (error) {
      if (!controller.signal.aborted) setLoading((before) => ({ ...before, isReading: false, error }));
    }
  };
  return {
    ...loading,
    readFile: (file: File) => read(async () => ({ name: file.name, text: await file.text() })),
    readText: (text: string) => read(async () => ({ name: null, text })),
    /** The same data, read in another way. */
    readAgain: ({ source }: LoadedData, choice: ReadingChoice) => read(async () => source, choice),
    clear: () => {
      running.current?.abort();
      setLoading(idle);
    },
  };
}
