import { localStorageColorSchemeManager } from '@mantine/core';

/** Where the choice between light, dark and system is kept; `public/first.js` reads it before the first paint. */
export const schemeKey = 'sluice.scheme';

export const colorScheme = localStorageColorSchemeManager({ key: schemeKey });
