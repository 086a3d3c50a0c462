// Inputs. editor-inputs.tsx and lookup-keys-input.tsx edit a field of the editor around; inputs/ has those that know no editor: verbs,
// events, choices, maps, files; script/ has the text of a script and where it comes from; config/ draws the form a service type's
// config_schema describes out of these.

export { ConfigForm } from './config/config-form.tsx';
export { RowTable } from './config/row-table.tsx';
export {
  type Config,
  configOf,
  initialConfig,
  kindOf,
  labelOf,
  missingFields,
} from './config/schema.ts';
export { SwitchInput, TextAreaInput, TextInput } from './editor-inputs.tsx';
export { EventInput } from './inputs/event-input.tsx';
export { KeyValues } from './inputs/key-values.tsx';
export { MultiPick } from './inputs/multi-pick.tsx';
export { PickSelect } from './inputs/pick-select.tsx';
export { scriptConfig } from './inputs/script-files.ts';
export { StringList } from './inputs/string-list.tsx';
export { TextFile } from './inputs/text-file.tsx';
export { VerbPicker } from './inputs/verb-picker.tsx';
export {
  type LookupKey,
  type LookupOwner,
  lookupKeysOf,
  lookupKeysToDraft,
  lookupKeysToRecord,
} from './lookup-keys.ts';
export { LookupKeysInput, lookupKeyErrors } from './lookup-keys-input.tsx';
export { EngineNotice } from './script/engine-notice.tsx';
export { ScriptContent } from './script/script-content.tsx';
export { isRunnable, type LinkableService, useLinkableServices, useScriptTypes } from './script/sources.ts';
