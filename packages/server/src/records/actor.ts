import { anonymousCaller } from '../call/call.ts';
import type { Actor } from '../resource/resource.ts';

/** The platform itself, or a stranger for whom it acts: without rights of their own, from where the stranger calls. */
export const platformActor = (origin: Pick<Actor, 'id' | 'ip' | 'userAgent'> = unknownOrigin): Actor => ({
  caller: anonymousCaller,
  service: 'system',
  baseUrl: '',
  id: origin.id,
  ip: origin.ip,
  userAgent: origin.userAgent,
  memory: undefined,
});

const unknownOrigin = { id: null, ip: null, userAgent: null };
