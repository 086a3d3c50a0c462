// The service types of this server. A type is a folder here and a line below; the types every instance has one service
// of are made with the parts they stand for.

import type { Identity } from '../identity/index.ts';
import { redshift } from './aws_redshift_db/index.ts';
import { memsql } from './memsql/index.ts';
import { mysql } from './mysql/index.ts';
import { pgsql } from './pgsql/index.ts';
import type { ServiceType } from './service.ts';
import { sqlite } from './sqlite/index.ts';
import { type SystemParts, systemService } from './system/index.ts';
import { userService } from './user/index.ts';

export const serviceTypes = (parts: SystemParts & { identity: Identity }): ServiceType[] =>
  [
    systemService(parts),
    userService(parts.identity, parts.settings),
    sqlite,
    mysql,
    pgsql,
    redshift,
    memsql,
  ] as ServiceType[];
