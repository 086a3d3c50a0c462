/** A download's name as ASCII with the exact one beside it (RFC 6266). */
export function contentDisposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return ascii === name
    ? `attachment; filename="${name}";`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${encodeName(name)}`;
}

/** As `encodeURIComponent`, and the characters that it leaves although the header has no room for them (RFC 8187). */
const encodeName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
