// German: the same lines as in en/index.ts.

import { apidocs } from './apidocs.ts';
import { apps } from './apps.ts';
import { audit } from './audit.ts';
import { calls } from './calls.ts';
import { config } from './config.ts';
import { data } from './data.ts';
import { database } from './database.ts';
import { editor } from './editor.ts';
import { explain } from './explain.ts';
import { fields } from './fields.ts';
import { files } from './files.ts';
import { frame } from './frame.ts';
import { home } from './home.ts';
import { jobs } from './jobs.ts';
import { launchpad } from './launchpad.ts';
import { limits } from './limits.ts';
import { list } from './list.ts';
import { packages } from './packages.ts';
import { people } from './people.ts';
import { profile } from './profile.ts';
import { roles } from './roles.ts';
import { schema } from './schema/index.ts';
import { scripts } from './scripts.ts';
import { services } from './services.ts';
import { sessions } from './sessions.ts';
import { unsaved } from './unsaved.ts';

export const rest = {
  apidocs,
  audit,
  apps,
  calls,
  config,
  data,
  database,
  schema,
  roles,
  scripts,
  services,
  sessions,
  list,
  fields,
  editor,
  explain,
  files,
  frame,
  home,
  jobs,
  launchpad,
  limits,
  packages,
  people,
  profile,
  unsaved,
};
