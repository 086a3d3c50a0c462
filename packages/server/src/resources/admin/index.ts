// `system/admin`: people who run this instance, in the same table as users.
import { admin } from '@sluice/contract';
import type { ServedResource } from '../../resource/resource.ts';
import { type PersonParts, personResource } from '../user/person.ts';

export const adminResource = (parts: PersonParts): ServedResource => personResource(admin, true, parts);
