/** The level of the wire contract we speak. */
export const contractVersion = '2.16.1';
/** Sluice's own version; a test holds it against package.json. */
export const sluiceVersion = '0.1.0';
