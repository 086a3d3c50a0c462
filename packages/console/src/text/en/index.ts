// English: one line an area. The areas of start.ts are loaded at once, these with the first page behind the sign-in.

import { data } from './data.ts';
import { editor } from './editor.ts';
import { fields } from './fields.ts';
import { frame } from './frame.ts';
import { home } from './home.ts';
import { launchpad } from './launchpad.ts';
import { list } from './list.ts';
import { profile } from './profile.ts';
import { services } from './services.ts';
import type { start } from './start.ts';

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

export type Texts = typeof start & typeof rest;
