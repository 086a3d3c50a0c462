// `system/audit`: who changed what, and who signed in. Read only; audit/ writes it.
import { audit } from '@sluice/contract';
import type { ServedResource } from '../../resource/resource.ts';

export const auditResource: ServedResource = { definition: audit, table: 'audit', isAddressed: true };
