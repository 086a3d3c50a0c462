// What a server says of files for programs (RFC 3659): `type=file;size=10;modify=20181120100000; name`.

export interface FtpEntry {
  name: string;
  type: 'file' | 'folder' | 'link' | 'other';
  size: number | null;
  modified: Date | null;
}

/** An entry of a line; undefined for lines that have none, and for the folder itself and its parent. */
export function parseFacts(line: string): FtpEntry | undefined {
  const parts = /^ ?((?:[^=;\s]+=[^;]*;)+) (.+)$/.exec(line);
  if (!parts) return undefined;
  const facts = new Map<string, string>();
  for (const fact of (parts[1] as string).split(';')) {
    const at = fact.indexOf('=');
    if (at > 0) facts.set(fact.slice(0, at).toLowerCase(), fact.slice(at + 1));
  }
  const kind = facts.get('type')?.toLowerCase() ?? '';
  if (kind === 'cdir' || kind === 'pdir') return undefined;
  const type =
    kind === 'file' ? 'file' : kind === 'dir' ? 'folder' : /^os\.unix=s(ym)?link/.test(kind) ? 'link' : 'other';
  const size = /^\d{1,15}$/.test(facts.get('size') ?? '') ? Number(facts.get('size')) : null;
  return { name: parts[2] as string, type, size, modified: parseTime(facts.get('modify')) };
}

/** A time of these facts, or of MDTM, which is UTC; null for what is none. */
export function parseTime(text: string | undefined): Date | null {
  const [, ...digits] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?$/.exec(text?.trim() ?? '') ?? [];
  if (digits.length === 0) return null;
  const [year, month, day, hour, minute, second] = digits.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}
