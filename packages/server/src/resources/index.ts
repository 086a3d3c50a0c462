// The system resources as the server serves them, one folder each; to add one, add its line. Those below `system/` that
// are no records (environment, service_type) are named in system.ts, the service through which all are reached.
import type { ResourceName } from '@sluice/contract';
import type { AccountMails } from '../identity/account-mails.ts';
import type { Secrets } from '../identity/keys.ts';
import type { Limits } from '../limits/index.ts';
import type { ServedResource } from '../resource/resource.ts';
import type { ServiceType } from '../service/service.ts';
import type { Settings } from '../settings/index.ts';
import { adminResource } from './admin/index.ts';
import type { AppFileParts } from './app/files.ts';
import { appResource } from './app/index.ts';
import { auditResource } from './audit/index.ts';
import { corsResource } from './cors/index.ts';
import { customResource } from './custom/index.ts';
import { emailTemplateResource } from './email_template/index.ts';
import { eventScriptResource } from './event_script/index.ts';
import { jobResource } from './job/index.ts';
import { limitResource } from './limit/index.ts';
import { lookupResource, ownedLookupResource } from './lookup/index.ts';
import { roleAdldapResource, roleResource, roleServiceAccessResource } from './role/index.ts';
import { serviceDocResource, serviceResource } from './service/index.ts';
import { userResource } from './user/index.ts';
import { userToAppToRoleResource } from './user_to_app_to_role/index.ts';

export interface ResourceParts extends AppFileParts {
  mails: Pick<AccountMails, 'findGap' | 'queue'>;
  limits: Pick<Limits, 'entries' | 'resetIfLocked'>;
  settings: Settings;
  secrets: Secrets;
  hashPassword(password: string): Promise<string>;
  types: () => ServiceType[];
}

/** Every declared resource with its rules. */
export const servedResources = (parts: ResourceParts): Record<ResourceName, ServedResource> => ({
  admin: adminResource(parts),
  app: appResource(parts),
  audit: auditResource,
  cors: corsResource,
  custom: customResource,
  event_script: eventScriptResource(parts),
  email_template: emailTemplateResource,
  job: jobResource,
  limit: limitResource(parts.limits),
  lookup: lookupResource(parts),
  owned_lookup: ownedLookupResource(parts.secrets),
  role: roleResource,
  role_adldap: roleAdldapResource,
  role_service_access: roleServiceAccessResource,
  service: serviceResource(parts),
  service_doc: serviceDocResource,
  user: userResource(parts),
  user_to_app_to_role: userToAppToRoleResource,
});
