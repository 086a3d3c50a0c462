// Which files an editor takes in, and how a script is linked to where it lives. Pure.
import { defaultScriptFileEndings, repositoryTypes, scriptFileEndings } from '@sluice/contract';

/** What a script of this type is taken from (SVC-023…026). */
export const scriptEndings = (type: string): readonly string[] =>
  scriptFileEndings.get(type) ?? defaultScriptFileEndings;

export const isAccepted = (fileName: string, accepted: readonly string[]): boolean =>
  accepted.some((ending) => fileName.toLowerCase().endsWith(ending));

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
      (!repositoryTypes.includes(serviceType) || (link.scm_repository && link.scm_reference)),
  );

/** Where the latest version of a linked script is read (SVC-039, SVC-040): path under /api/v2 and query. */
export function scriptSource(
  link: ScriptLink,
  service: { name: string; type: string },
): { path: string; query: Record<string, string> } {
  const storagePath = link.storage_path ?? '';
  if (!repositoryTypes.includes(service.type)) return { path: `${service.name}/${encodePath(storagePath)}`, query: {} };
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
  const git = serviceType !== undefined && repositoryTypes.includes(serviceType);
  return { ...config, content: '', ...(git ? {} : { scm_repository: null, scm_reference: null }) };
}
