import { useState } from 'react';
import { api } from '../../api/index.ts';
import { text } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';
import { useDraft, useUnsavedGuard } from '../../unsaved/index.ts';
import { base, isOfSection } from './address.ts';
import { type ContentRow, serviceMap } from './content.ts';
import type { Loaded } from './sources.ts';

/** An export as it is put together. */
export interface ExportForm {
  rows: readonly ContentRow[];
  /** The file service; null: none is chosen. */
  service: string | null;
  folder: string;
  fileName: string;
  password: string;
}

/** Where a package went. */
export interface ExportResult {
  /** Below `/api/v2/`. */
  path: string;
  isPublic: boolean;
  service: string;
  folder: string;
}

export type ExportErrors = Partial<Record<'content' | 'service' | 'password', string>>;

const emptyForm: ExportForm = { rows: [], service: null, folder: '', fileName: '', password: '' };
export const defaultFolder = '__EXPORTS';
/** As the server has it (contract/packages.md §2). */
const minPasswordLength = 6;

/** The export: its form, what is wrong with it, and what came of it (PKG-019). It outlives a look at the other tab. */
export function useExport() {
  const [form, setForm] = useState(emptyForm);
  const [errors, setErrors] = useState<ExportErrors>({});
  const [isRunning, setRunning] = useState(false);
  const [result, setResult] = useState<ExportResult | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  /** Counts up with each clear, so that what is ticked and searched is reset. */
  const [clears, setClears] = useState(0);

  const isDirty = form !== emptyForm && result === null;
  const draft = useDraft<ExportForm>({
    form: 'packages.export',
    title: { key: 'packages:draftTitle' },
    address: base,
    isDirty,
    typed: form,
    toDraft: () => ({ ...form, password: '' }),
  });
  useUnsavedGuard({
    isDirty,
    isLostBetween: (_from, next) => isDirty && !isRunning && !isOfSection(next),
    question: () => ({ message: text('packages:export.leave'), impact: text('packages:export.leaveImpact') }),
    discard: draft.forget,
  });

  const change = (changes: Partial<ExportForm>) => {
    setForm((form) => ({ ...form, ...changes }));
    setErrors(({ content, service, password }) => ({
      ...(content && !changes.rows ? { content } : {}),
      ...(service && !('service' in changes) ? { service } : {}),
      ...(password && !('password' in changes) ? { password } : {}),
    }));
    setResult(null);
    setFailure(null);
  };

  const run = async ({ places, canSecure }: Loaded): Promise<ExportErrors> => {
    const { rows, service, folder, fileName } = form;
    const password = canSecure ? form.password : '';
    const found: ExportErrors = {
      ...(rows.length === 0 ? { content: text('packages:export.noContent') } : {}),
      ...(service === null ? { service: text('packages:export.noService') } : {}),
      ...(password !== '' && password.length < minPasswordLength
        ? { password: text('packages:export.shortPassword', { count: minPasswordLength }) }
        : {}),
    };
    setErrors(found);
    if (Object.keys(found).length > 0 || service === null) return found;
    setRunning(true);
    setFailure(null);
    try {
      const { path, is_public } = await api.post<{ path: string; is_public: boolean }>('system/package', {
        body: {
          secured: password !== '',
          ...(password === '' ? {} : { password }),
          storage: { name: service, folder: folder.trim(), filename: fileName.trim() },
          service: serviceMap(rows, places),
        },
      });
      draft.forget();
      setForm((form) => ({ ...form, password: '' }));
      setResult({
        path: path.replace(/^.*?\/api\/v2\//, ''),
        isPublic: is_public,
        service,
        folder: folder.trim() || defaultFolder,
      });
      notify.success(text('packages:export.done'));
    } catch (error) {
      setFailure(error);
      notify.error(text('packages:export.failed'), error);
    } finally {
      setRunning(false);
    }
    return {};
  };

  return {
    form,
    errors,
    result,
    failure,
    isRunning,
    clears,
    draft: draft.found,
    restoreDraft: () => {
      if (draft.found) change(draft.found.values);
      draft.dismiss();
    },
    discardDraft: draft.forget,
    change,
    run,
    /** Everything as it was at the beginning (PKG-008). */
    clear: () => {
      setForm(emptyForm);
      setErrors({});
      setResult(null);
      setFailure(null);
      setClears((count) => count + 1);
      draft.forget();
    },
  };
}

export type ExportController = ReturnType<typeof useExport>;
