// German: the same lines as in en/index.ts.

import { data } from './data.ts';
import { editor } from './editor.ts';
import { fields } from './fields.ts';
import { frame } from './frame.ts';
import { home } from './home.ts';
import { launchpad } from './launchpad.ts';
import { list } from './list.ts';
import { profile } from './profile.ts';
import { services } from './services.ts';

export const rest = {
  data,
  services,
  list,
  fields,
  editor,
  frame,
  home,
  launchpad,
  profile,
};
