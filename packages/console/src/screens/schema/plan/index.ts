// What a change would do, told by the server before it is done (`POST {db}/_plan`). A server without it answers 404: then all of
// this is silent, and the screen works without.
export { confirmWrite } from './confirm-write.tsx';
export { PlanPanel } from './plan-panel.tsx';
export { RenameButton } from './rename.tsx';
export { UsedBy } from './used-by.tsx';
