// The system resources, one file each (people share one). The record engine serves them, the console edits them.
import { app } from './app.ts';
import { audit } from './audit.ts';
import { cors } from './cors.ts';
import { custom } from './custom.ts';
import { emailTemplate } from './email-template.ts';
import { eventScript } from './event-script.ts';
import { job } from './job.ts';
import { limit } from './limit.ts';
import { lookup, ownedLookup } from './lookup.ts';
import { role, roleAdldap, roleServiceAccess, userToAppToRole } from './role.ts';
import { service, serviceDoc } from './service.ts';
import { admin, user } from './user.ts';

export const resources = {
  admin,
  user,
  role,
  role_adldap: roleAdldap,
  role_service_access: roleServiceAccess,
  user_to_app_to_role: userToAppToRole,
  lookup,
  owned_lookup: ownedLookup,
  app,
  service,
  service_doc: serviceDoc,
  cors,
  email_template: emailTemplate,
  custom,
  event_script: eventScript,
  audit,
  job,
  limit,
};

export type ResourceName = keyof typeof resources;
export * from './app.ts';
export * from './audit.ts';
export * from './cors.ts';
export * from './custom.ts';
export * from './email-template.ts';
export * from './event-script.ts';
export * from './job.ts';
export * from './limit.ts';
export * from './lookup.ts';
export * from './role.ts';
export * from './service.ts';
export * from './user.ts';
