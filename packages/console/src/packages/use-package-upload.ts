import { useRef, useState } from 'react';
import { api, type QueryValue } from '../api/index.ts';

/** How far a package is; null while none is under way. */
export interface UploadState {
  sent: number;
  /** Bytes of the file; 0 for an address, of which nothing is sent from here. */
  size: number;
}

/** Progress is shown so often, in milliseconds: each event alone would draw the page again. */
const drawEvery = 100;

/**
 * Sends a form with a package, or a body that names its address. `send` resolves to the answer, or to undefined where the person cancelled; it throws what the server
 * refused. It goes on when the person leaves the page.
 */
export function usePackageUpload() {
  const [upload, setUpload] = useState<UploadState | null>(null);
  const controller = useRef<AbortController>(null);
  const send = async (
    path: string,
    body: FormData | Record<string, unknown>,
    size: number,
    query: Record<string, QueryValue> = {},
  ): Promise<unknown> => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    let drawn = 0;
    setUpload({ sent: 0, size });
    try {
      const onProgress = (sent: number) => {
        if (Date.now() - drawn < drawEvery && sent < size) return;
        drawn = Date.now();
        setUpload({ sent: Math.min(sent, size), size });
      };
      if (!(body instanceof FormData)) return await api.post(path, { body, query, signal });
      return await api.upload(path, { body, query, signal, onProgress });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      setUpload(null);
    }
  };
  return {
    upload,
    send,
    cancel: () => controller.current?.abort(new DOMException('Cancelled', 'AbortError')),
  };
}

export type PackageUpload = ReturnType<typeof usePackageUpload>;
