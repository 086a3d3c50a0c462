// What a request for a page of the console tells.
import type { FastifyRequest } from 'fastify';
import { loggedPath } from '../../call/address.ts';

/**
 * Whether someone seems to be signed in, by the name of the console's cookie. Nobody is let in by it, and a wrong guess costs
 * a moment.
 */
export const seemsSignedIn = ({ headers }: FastifyRequest): boolean =>
  /(^|; )CurrentUserObj=/.test(headers.cookie ?? '');

/** The first segment of the address. */
export const sectionOf = ({ raw }: FastifyRequest): string => `/${loggedPath(raw.url).split('/')[1]}`;
