// Services that are scripts in PHP; what all types of scripts share is in engines/script-type.ts.
import type { Settings } from '../../settings/index.ts';
import { scriptType } from '../engines/script-type.ts';

export const php = (settings: Settings) =>
  scriptType(
    { name: 'php', label: 'PHP', description: 'Service that allows client-callable scripts utilizing PHP.' },
    settings,
  );
