/** The languages that scripts may be written in, as they are called on the wire (contract/event-scripts-and-script-services.md §3). */
export const scriptTypeNames = ['nodejs', 'php', 'python', 'v8js'] as const;
export type ScriptTypeName = (typeof scriptTypeNames)[number];
