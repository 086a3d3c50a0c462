// Services that are scripts in V8js; what all types of scripts share is in engines/script-type.ts.
import type { Settings } from '../../settings/index.ts';
import { scriptType } from '../engines/script-type.ts';

export const v8js = (settings: Settings) =>
  scriptType(
    {
      name: 'v8js',
      label: 'V8js',
      description: 'Service that allows client-callable scripts in JavaScript that reach nothing but the API.',
    },
    settings,
  );
