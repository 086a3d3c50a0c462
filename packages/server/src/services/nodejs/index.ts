// Services that are scripts in Node.js; what all types of scripts share is in engines/script-type.ts.
import type { Settings } from '../../settings/index.ts';
import { scriptType } from '../engines/script-type.ts';

export const nodejs = (settings: Settings) =>
  scriptType(
    {
      name: 'nodejs',
      label: 'Node.js',
      description: 'Service that allows client-callable scripts utilizing the Node.js framework.',
    },
    settings,
  );
