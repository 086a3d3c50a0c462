import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { ApiError } from '../api/index.ts';
import { text } from '../text/index.ts';
import { notify } from '../ui/index.ts';

/** Words of the permission message (OPEN-063). */
export interface PermissionTexts {
  /** What must be readable: 'system/service and system/service_type'. */
  resources: string;
  /** What is made there: 'services'. */
  things: string;
}

/** A 401 or 403 while a tab loads: a message says which permission is missing, and the console goes home. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);

const permissionText = (title: string, resource: string, { resources, things }: PermissionTexts): string =>
  text('list:permission', { tab: title, resources, things, resource });

/** Says which permission is missing and goes to /home; for every screen that could not load. */
export function useForbidden(
  error: unknown,
  title: string,
  resource: string,
  permissionTexts: PermissionTexts,
): boolean {
  const navigate = useNavigate();
  const forbidden = isForbidden(error);
  const message = permissionText(title, resource, permissionTexts);
  useEffect(() => {
    if (!forbidden) return;
    notify.error(title, message);
    navigate('/home', { replace: true });
  }, [forbidden, message, title, navigate]);
  return forbidden;
}
