// The bytes of a file, for its preview. Nothing a person stored runs as the console: pictures are shown as pictures, documents
// get the type that their kind has, everything else is text.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, etagOf } from '../../../api/index.ts';
import { type FileItem, type FileKind, filePath, itemOf, kindOf } from '../../../files/index.ts';

const megabyte = 1_000_000;

/** Bytes that are taken into the page; more is for a download. */
const limits: Partial<Record<FileKind, number>> = {
  image: 50 * megabyte,
  pdf: 50 * megabyte,
  video: 200 * megabyte,
  audio: 200 * megabyte,
  text: 2 * megabyte,
  code: 2 * megabyte,
};

export const isText = (kind: FileKind): boolean => kind === 'text' || kind === 'code';

/** Why a file is not shown; null where it is. */
export function whyHidden(item: FileItem): 'kind' | 'size' | null {
  const limit = limits[kindOf(item)];
  if (limit === undefined) return 'kind';
  return item.size !== null && item.size > limit ? 'size' : null;
}

/** What the server says of a file. */
export const useFileItem = (service: string, path: string) =>
  useQuery({
    queryKey: ['files', 'of', service, 'properties', path],
    queryFn: async ({ signal }) => {
      const query = { include_properties: true };
      const answer = await api.get<Omit<Parameters<typeof itemOf>[0], 'type'>>(filePath(service, path), {
        query,
        signal,
      });
      return itemOf({ ...answer, path, type: 'file' });
    },
  });

export interface FileContent {
  blob: Blob;
  /** Which version it is; null where the storage does not tell. */
  etag: string | null;
}

export async function readContent(service: string, path: string, signal?: AbortSignal): Promise<FileContent> {
  const blob = await api.get<Blob>(filePath(service, path), { as: 'blob', signal });
  return { blob, etag: etagOf(blob) };
}

/** Read when the pane opens, and not again under someone who reads or types. */
export const useContent = (service: string, path: string, isWanted: boolean) =>
  useQuery({
    queryKey: ['files', 'content', service, path],
    queryFn: ({ signal }) => readContent(service, path, signal),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Types under which bytes are handed to the browser: those of the kind, never what someone stored beside them. */
const safeTypes: Partial<Record<FileKind, (item: FileItem) => string>> = {
  pdf: () => 'application/pdf',
  // An <img> runs no script, also not that of an SVG.
  image: ({ contentType }) => (/^image\/[\w.+-]+$/.test(contentType) ? contentType : 'image/png'),
  video: ({ contentType }) => (/^video\/[\w.+-]+$/.test(contentType) ? contentType : 'video/mp4'),
  audio: ({ contentType }) => (/^audio\/[\w.+-]+$/.test(contentType) ? contentType : 'audio/mpeg'),
};

/** An address of the bytes for an element of the page, as long as it is shown. */
export function useBlobAddress(blob: Blob | undefined, item: FileItem): string | null {
  const [address, setAddress] = useState<string | null>(null);
  const type = safeTypes[kindOf(item)]?.(item);
  useEffect(() => {
    if (!blob || !type) return;
    const made = URL.createObjectURL(new Blob([blob], { type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob, type]);
  return address;
}

export interface TextContent {
  /** With line feeds alone, as the editor has it. */
  text: string;
  /** How its lines end. */
  lineEnd: '\n' | '\r\n';
  /** Bytes that are no text in UTF-8, or lines that end in two ways: saving would change what was not edited. */
  isReadOnly: boolean;
}

export async function decodeText(blob: Blob): Promise<TextContent> {
  const bytes = await blob.arrayBuffer();
  let text: string;
  let isWhole = true;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    isWhole = false;
  }
  const crlf = text.split('\r\n').length - 1;
  const all = text.split(/\r\n|\r|\n/).length - 1;
  const hasNull = text.includes('\0');
  return {
    text: text.replace(/\r\n?/g, '\n'),
    lineEnd: crlf > 0 ? '\r\n' : '\n',
    isReadOnly: !isWhole || hasNull || (crlf > 0 && crlf !== all) || /\r(?!\n)/.test(text),
  };
}

export const encodeText = (text: string, lineEnd: '\n' | '\r\n'): string =>
  lineEnd === '\n' ? text : text.replace(/\n/g, '\r\n');
