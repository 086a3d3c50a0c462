// `system/user`: people who sign in to apps. What they share with administrators is in person.ts.
import { user } from '@sluice/contract';
import type { ServedResource } from '../../resource/resource.ts';
import { type PersonParts, personResource } from './person.ts';

export const userResource = (parts: PersonParts): ServedResource => personResource(user, false, parts);
