// Which files an editor takes in, and how a script is linked to where it lives. Pure.

/** Accepted endings by script type (SVC-023, SVC-024, SVC-025); anything else takes the general list (SVC-026). */
const endings: Record<string, readonly string[]> = {
  nodejs: ['.js'],
  v8js: ['.js'],
  php: ['.php'],
  python: ['.py', '.python'],
};
const generalEndings = ['.json', '.js', '.php', '.yaml', '.yml'] as const;

/** A service definition is a JSON or YAML file (SVC-027). */
export const definitionEndings = ['.json', '.yml', '.yaml'] as const;

export const scriptEndings = (type: string): readonly string[] => endings[type] ?? generalEndings;

export const isAccepted = (fileName: string, accepted: readonly string[]): boolean =>
  accepted.some((ending) => fileName.toLowerCase().endsWith(ending));

/** The service types whose scripts are found by repository and reference. */
export const gitTypes = ['github', 'gitlab', 'bitbucket'];

export interface ScriptLink {
  storage_service_id: number | null;
  scm_repository: string | null;
  scm_reference: string | null;
  storage_path: string | null;
}

export const noLink: ScriptLink = {
  storage_service_id: null,
  scm_repository: null,
  scm_reference: null,
  storage_path: null,
};

/** Whether there is enough to fetch the script: git needs all three (SVC-028), other storage a path (SVC-029). */
export const canRefresh = (link: ScriptLink, serviceType: string | undefined): boolean =>
  Boolean(
    serviceType &&
      link.storage_path &&
      (!gitTypes.includes(serviceType) || (link.scm_repository && link.scm_reference)),
  );

/** Where the latest version of a linked script is read (SVC-039, SVC-040): path under /api/v2 and query. */
export function scriptSource(
  link: ScriptLink,
  service: { name: string; type: string },
): { path: string; query: Record<string, string> } {
  const storagePath = link.storage_path ?? '';
  if (!gitTypes.includes(service.type)) return { path: `${service.name}/${encodePath(storagePath)}`, query: {} };
  return {
    path: `${service.name}/_repo/${encodePath(link.scm_repository ?? '')}`,
    query: { path: storagePath, branch: link.scm_reference ?? '', content: '1' },
  };
}

const encodePath = (path: string) => path.replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/');

/** What of a script's config is saved: a linked script has no content of its own, one of ours no link (OPEN-151). */
export function scriptConfig(
  config: Record<string, unknown>,
  serviceType: string | undefined,
): Record<string, unknown> {
  if (!('content' in config)) return config;
  if (!config.storage_service_id) return { ...config, ...noLink };
  const git = serviceType !== undefined && gitTypes.includes(serviceType);
  return { ...config, content: '', ...(git ? {} : { scm_repository: null, scm_reference: null }) };
}
