// Inputs. inputs.tsx edits one field of the editor around; config/ draws the form a service type's config_schema describes;
// the rest are the larger inputs both use: verbs, events, maps, rows, files, scripts.

export { ConfigForm } from './config/config-form.tsx';
export {
  type Config,
  configOf,
  kindOf,
  labelOf,
  missingFields,
  startConfig,
} from './config/schema.ts';
export { EventInput } from './event-input.tsx';
export { IntegerInput, SecretInput, SelectInput, SwitchInput, TextAreaInput, TextInput } from './inputs.tsx';
export { KeyValues } from './key-values.tsx';
export {
  type LookupKey,
  type LookupOwner,
  lookupKeysOf,
  lookupKeysToDraft,
  lookupKeysToSend,
} from './lookup-keys.ts';
export { LookupKeysInput, wrongLookupKeys } from './lookup-keys-input.tsx';
export { MultiPick } from './multi-pick.tsx';
export { PickSelect } from './pick-select.tsx';
export { definitionEndings, scriptConfig } from './script-files.ts';
export { type LinkableService, useLinkableServices } from './sources.ts';
export { StringList } from './string-list.tsx';
export { TextFile } from './text-file.tsx';
export { VerbPicker } from './verb-picker.tsx';
