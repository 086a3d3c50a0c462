// What a remote web service is configured by (contract/service-types.md §6), and what of it is checked when it is written.
import { validateHeaderName } from 'node:http';
import { type ConfigOf, configField as field, namesInBraces, type Verb, verbMask } from '@sluice/contract';
import { refuseField } from '../../storage/remote-config.ts';
import { cacheFields } from '../engines/fields.ts';

export interface ParameterRule extends Record<string, unknown> {
  name: string | null;
  value: string | null;
  exclude: boolean | null;
  outbound: boolean | null;
  cache_key: boolean | null;
  action: number | null;
}

export interface HeaderRule extends Record<string, unknown> {
  name: string | null;
  value: string | null;
  pass_from_client: boolean | null;
  action: number | null;
}

const verbsOfRule = { name: 'action', label: 'Verbs', type: 'verb_mask', default: 0 } as const;

export const remoteFields = {
  base_url: field.text({
    label: 'Base URL (required if not defined in Service Definition)',
    description:
      'Where the API is: https://api.example.com/v1. What a call has behind the name of the service follows it.',
  }),
  replace_link: field.boolean({
    label: 'Replace Hyperlinks',
    description: 'Addresses of HTTP services in answers become those of this instance.',
    default: false,
  }),
  implements_access_list: field.boolean({
    label: 'Remote Implements Access List',
    description: 'The remote service answers what roles may name of it, instead of the definition.',
    default: false,
  }),
  preserve_forward_trailing_slash: field.boolean({
    label: 'Preserve Trailing Slash',
    description: 'A slash at the end of an address is passed on.',
    default: false,
  }),
  options: field.map({
    label: 'CURL Options',
    description: 'CURLOPT_TIMEOUT, CURLOPT_FOLLOWLOCATION, CURLOPT_USERPWD and others, with a value each.',
    confidential: true,
  }),
  parameters: field.rows<ParameterRule>({
    label: 'Parameters',
    description:
      'What the query of calls with the chosen verbs gets. Exclude: what callers send by this name is left out instead. Outbound: in the call of the remote service. Cache Key: in what tells kept answers apart. For lookup keys in braces stand their values, private ones too.',
    items: [
      { name: 'name', label: 'Name', type: 'string', required: true },
      { name: 'value', label: 'Value', type: 'text', confidential: true },
      {
        name: 'exclude',
        label: 'Exclude',
        type: 'boolean',
        default: false,
      },
      {
        name: 'outbound',
        label: 'Outbound',
        type: 'boolean',
        default: false,
      },
      {
        name: 'cache_key',
        label: 'Cache Key',
        type: 'boolean',
        default: false,
      },
      verbsOfRule,
    ],
    filledByCall: true,
    notRows: 'Web service parameters must be an array.',
  }),
  headers: field.rows<HeaderRule>({
    label: 'Headers',
    description:
      'The remote service gets these alone, in calls with the chosen verbs. Pass From Client: the value is the one that the caller sends. For lookup keys in braces stand their values, private ones too.',
    items: [
      { name: 'name', label: 'Name', type: 'string', required: true },
      { name: 'value', label: 'Value', type: 'text', confidential: true },
      {
        name: 'pass_from_client',
        label: 'Pass From Client',
        type: 'boolean',
        default: false,
      },
      verbsOfRule,
    ],
    filledByCall: true,
    notRows: 'Web service headers must be an array.',
  }),
  ...cacheFields,
};

export type RemoteConfig = ConfigOf<typeof remoteFields>;

/** The address without slashes at its end; undefined where there is none. Refuses what is no address of a web server. */
export function baseOf(text: string | null | undefined): URL | undefined {
  const address = text?.trim() ?? '';
  if (address === '') return undefined;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.hash)
    throw refuseField(
      'base_url',
      'The base_url must be an address that begins with http:// or https://, without a login and a fragment.',
    );
  return url;
}

/** Refuses configurations that no call could be made with. */
export function checkRemote({ base_url, parameters, headers }: RemoteConfig): void {
  const hasBase = (base_url?.trim() ?? '') !== '';
  if (!base_url?.includes('{')) baseOf(base_url);
  for (const [name, rules] of [
    ['parameters', parameters],
    ['headers', headers],
  ] as const) {
    for (const rule of rules ?? []) {
      if (!rule.name?.trim()) throw refuseField(name, `Each of the ${name} must have a name.`);
      // A definition may be written by people who may not say where the values of keys go.
      if (!hasBase && namesInBraces(rule.value ?? '').length > 0)
        throw refuseField('base_url', 'The base_url is required where parameters or headers name lookup keys.');
    }
  }
  for (const { name } of headers ?? [])
    if (!isHeaderName(name?.trim() ?? ''))
      throw refuseField('headers', `A header cannot be called ${JSON.stringify(name?.slice(0, 80))}.`);
}

function isHeaderName(name: string): boolean {
  try {
    validateHeaderName(name);
    return true;
  } catch {
    return false;
  }
}

/** Whether a rule is about calls with a verb. */
export const isAbout = ({ action }: { action: number | null }, verb: Verb): boolean =>
  ((action ?? 0) & verbMask[verb]) !== 0;
