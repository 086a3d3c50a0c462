import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../../api/index.ts';
import { trimSlashes } from '../../../files/index.ts';
import {
  appPackageEnding,
  noSource,
  type PackageSource,
  packageOf,
  sourceProblem,
  usePackageUpload,
} from '../../../packages/index.ts';
import { text } from '../../../text/index.ts';
import { notify } from '../../../ui/index.ts';
import { useUnsavedGuard } from '../../../unsaved/index.ts';
import { base, importAddress } from '../address.ts';
import { defaultContainer, defaultServiceOf, type FileService } from '../record.ts';

/** As many as the list of apps has on a page (APP-042). */
export const pageSize = 100;

/** The import of an app: its form, how far it is, and why it was refused. */
export function useAppImport(services: readonly FileService[] | undefined) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [source, setSource] = useState<PackageSource>(noSource);
  /** Undefined until somebody chose; null is none. */
  const [chosenService, setService] = useState<number | null>();
  const [folder, setFolder] = useState(defaultContainer);
  const [problem, setProblem] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const { upload, send, cancel } = usePackageUpload();
  const isRunning = upload !== null;
  const serviceId = chosenService === undefined ? (defaultServiceOf(services ?? [])?.id ?? null) : chosenService;
  const letPass = useUnsavedGuard({
    isDirty: source !== noSource || isRunning,
    // What is under way goes on.
    isLostBetween: (_from, next) => source !== noSource && !isRunning && next.pathname !== importAddress,
    question: () => ({ message: text('apps:import.leave') }),
  });
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  /** False where nothing was sent (APP-017). */
  const run = async (): Promise<boolean> => {
    const wrong = sourceProblem(source, [appPackageEnding]);
    const chosen = packageOf(source);
    if (wrong || !chosen) {
      setProblem(text(`apps:import.problems.${wrong ?? 'missing'}`));
      return false;
    }
    setProblem(null);
    setFailure(null);
    // OPEN-111: 0 is no service.
    const place = { storage_service_id: serviceId ?? 0, storage_container: trimSlashes(folder.trim()) };
    try {
      const answer =
        'file' in chosen
          ? await send('system/app', formOf(chosen.file, place), chosen.file.size)
          : await send('system/app', { import_url: chosen.address, ...place }, 0);
      // Cancelled: what was chosen is still there.
      if (answer === undefined) return true;
      notify.success(text('apps:import.done'));
      await client.invalidateQueries();
      if (!isMounted.current) return true;
      const address = await lastPage();
      setSource(noSource);
      letPass();
      if (isMounted.current) navigate(address);
    } catch (error) {
      setFailure(error);
      notify.error(text('apps:title'), error);
    }
    return true;
  };

  return {
    ...{ source, serviceId, folder, problem, failure, upload, isRunning, cancel, run, setService, setFolder },
    setSource: (next: PackageSource) => {
      setSource(next);
      setProblem(null);
    },
  };
}

export type AppImport = ReturnType<typeof useAppImport>;

/** A package as a form (C-APP-09). */
function formOf(file: File, place: Record<string, string | number>): FormData {
  const form = new FormData();
  form.append('file', file, file.name);
  for (const [name, value] of Object.entries(place)) form.append(name, String(value));
  return form;
}

/** The page of the list where a new app is: the last one, in the order of ids. */
async function lastPage(): Promise<string> {
  try {
    const query = { fields: 'id', limit: 1, include_count: true };
    const { meta } = await api.get<{ meta?: { count?: number } }>('system/app', { query });
    const page = Math.ceil((meta?.count ?? 1) / pageSize);
    return page > 1 ? `${base}?page=${page}` : base;
  } catch {
    // The list says by itself what is wrong.
    return base;
  }
}
