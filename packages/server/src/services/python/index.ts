// Services that are scripts in Python; what all types of scripts share is in engines/script-type.ts.
import type { Settings } from '../../settings/index.ts';
import { scriptType } from '../engines/script-type.ts';

export const python = (settings: Settings) =>
  scriptType(
    { name: 'python', label: 'Python', description: 'Service that allows client-callable scripts utilizing Python.' },
    settings,
  );
