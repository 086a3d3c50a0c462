// Bytes as base64: which kind of file they are, and converting them. Pure.

/** The largest file that can be uploaded: base64 makes it a third larger, and a call may have ten megabytes by default. */
export const maxFileBytes = 7 * 1024 * 1024;

export interface FileKind {
  /** As people call it. */
  name: string;
  extension: string;
}

/** By the first bytes, in hexadecimal. */
const fileKinds: readonly { starts: RegExp; kind: FileKind }[] = [
  { starts: /^89504e470d0a1a0a/, kind: { name: 'PNG', extension: 'png' } },
  { starts: /^ffd8ff/, kind: { name: 'JPEG', extension: 'jpg' } },
  { starts: /^47494638(37|39)61/, kind: { name: 'GIF', extension: 'gif' } },
  { starts: /^52494646.{8}57454250/, kind: { name: 'WebP', extension: 'webp' } },
  { starts: /^255044462d/, kind: { name: 'PDF', extension: 'pdf' } },
  { starts: /^504b0304/, kind: { name: 'ZIP', extension: 'zip' } },
  { starts: /^1f8b08/, kind: { name: 'GZIP', extension: 'gz' } },
];

/** How many characters are examined; a multiple of four, which is a group of base64. */
const sniffedLength = 2048;

/** The kind of file, by its first bytes; null when it is unknown. */
export function detectFileKind(base64: string): FileKind | null {
  const bytes = toBytes(base64.slice(0, sniffedLength));
  if (bytes.length === 0) return null;
  const hex = Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const match = fileKinds.find(({ starts }) => starts.test(hex));
  if (match) return match.kind;
  return bytes.every(isTextByte) ? { name: 'TXT', extension: 'txt' } : null;
}

// Control characters other than tab, line feed, form feed and carriage return are in no text.
const isTextByte = (byte: number): boolean => (byte >= 0x20 ? byte !== 0x7f : [0x09, 0x0a, 0x0c, 0x0d].includes(byte));

/** No bytes when the text is not base64. */
export function toBytes(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** A call with more arguments than the engine accepts would fail. */
const chunkSize = 0x8000;

export function toBase64(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += chunkSize) {
    chunks.push(String.fromCharCode(...bytes.subarray(offset, offset + chunkSize)));
  }
  return btoa(chunks.join(''));
}
