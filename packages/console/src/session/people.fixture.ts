// Everyone a guard or a link can meet.
import { anApp, anEnvironment } from '../api/testing.ts';
import type { Viewer } from './guards.ts';

export const who = (session: Viewer['session'], environment = anEnvironment(), isSetupNeeded = false): Viewer => ({
  session,
  environment,
  isSetupNeeded,
});
export const admin = { is_sys_admin: true, email: 'ada@example.com' };
const user = { is_sys_admin: false, email: 'jo@example.com' };
export const demo = { is_sys_admin: true, email: 'user@example.com' };
const noApps = anEnvironment({ apps: [] });
const otherApps = anEnvironment({ apps: [anApp('crm')] });
const registering = anEnvironment({
  authentication: { ...anEnvironment().authentication, allow_open_registration: true },
});
export const isDemo = anEnvironment({ platform: { license: '', bitnami_demo: true, is_hosted: false } });
const { platform: _unknown, ...rest } = anEnvironment();
export const withoutPlatform = rest;

export const people = {
  nobody: who(null),
  nobodyNoApps: who(null, noApps),
  nobodyMayRegister: who(null, registering),
  user: who(user),
  userOtherApps: who(user, otherApps),
  admin: who(admin),
  adminNoAdminApp: who(admin, otherApps),
  demoAdmin: who(demo),
  setup: who(null, anEnvironment(), true),
};
