// Addresses of remote services in an answer, which become addresses of this instance (`replace_link`).
import type { Call } from '../../call/call.ts';

export interface LinkedService {
  name: string;
  /** The address of the remote service as it is configured. */
  base: string;
}

/** Services that are looked for. */
const maxServices = 1_000;

/** Replaces the bases of services in a text, the longest that fits first; in JSON with escaped slashes, too. */
export function createLinkReplacer(
  services: readonly LinkedService[],
  { baseUrl }: Pick<Call, 'baseUrl'>,
): (text: string) => string {
  const replacements = new Map<string, string>();
  for (const { name, base } of services.slice(0, maxServices)) {
    const target = `${baseUrl}/api/v2/${encodeURIComponent(name)}`;
    const bare = base.trim().replace(/\/+$/, '');
    if (bare === '' || replacements.has(bare)) continue;
    replacements.set(bare, target);
    replacements.set(escapeSlashes(bare), escapeSlashes(target));
  }
  if (replacements.size === 0) return (text) => text;
  const patterns = [...replacements.keys()]
    .sort((a, b) => b.length - a.length)
    .map((base) => base.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // `https://api.example.com` is no beginning of `https://api.example.company`.
  const pattern = new RegExp(`(?:${patterns.join('|')})(?![\\w.:@%~-])`, 'g');
  return (text) => text.replace(pattern, (base) => replacements.get(base) ?? base);
}

const escapeSlashes = (text: string): string => text.replaceAll('/', '\\/');
