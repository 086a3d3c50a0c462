// The system resources, one file each (people share one). The record engine serves them, the console edits them.
import { app } from './app.ts';
import { lookup, role, roleServiceAccess, userToAppToRole } from './role.ts';
import { service, serviceDoc } from './service.ts';
import { admin, user } from './user.ts';

export const resources = {
  admin,
  user,
  role,
  role_service_access: roleServiceAccess,
  user_to_app_to_role: userToAppToRole,
  lookup,
  app,
  service,
  service_doc: serviceDoc,
};

export type ResourceName = keyof typeof resources;
export * from './app.ts';
export * from './role.ts';
export * from './service.ts';
export * from './user.ts';
