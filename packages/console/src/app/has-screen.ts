import { screens } from '../screens/index.ts';

/** Whether an address belongs to a screen that exists: what does not exist gets no link. */
export const hasScreen = (address: string): boolean => screens.some(({ path }) => path === address);
