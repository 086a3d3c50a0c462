// The engines, one folder each; to add one, add its line.
import type { EngineType } from '../engine.ts';
import { nodejs } from './nodejs/index.ts';
import { php } from './php/index.ts';
import { python } from './python/index.ts';
import { v8js } from './v8js/index.ts';

/** In the order in which `system/script_type` lists them. */
export const engineTypes: readonly EngineType[] = [nodejs, php, python, v8js];
