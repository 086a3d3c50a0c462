// What a SOAP service is configured by (contract/service-types.md §6), and what of it is checked when it is written.
import { type ConfigOf, configField as field } from '@sluice/contract';
import { refuseField } from '../../storage/remote-config.ts';
import { cacheFields } from '../engines/fields.ts';
import { readOptions } from './options.ts';

export interface SoapHeader extends Record<string, unknown> {
  type: string | null;
  namespace: string | null;
  name: string | null;
  data: string | null;
  mustunderstand: boolean | null;
  actor: string | null;
}

export const soapFields = {
  wsdl: field.string({
    label: 'WSDL URI',
    description:
      'Where the service describes itself, https://…?wsdl, or the name of a file in the folder wsdl of the data folder. Blank: the options have location and uri.',
  }),
  options: field.map({
    label: 'Options',
    description:
      'Options of SOAP clients: location (where calls go), uri (the namespace, without a WSDL), soap_version (1 or 2), login and password, user_agent, connection_timeout and timeout in seconds.',
    confidential: true,
  }),
  headers: field.rows<SoapHeader>({
    label: 'Headers',
    description:
      'Headers of each message. Data is JSON, of WSSE {"username":"…","password":"…"}. For lookup keys in braces in its texts stand their values, private ones too.',
    items: [
      {
        name: 'type',
        label: 'Type',
        type: 'picklist',
        values: [
          { label: 'Generic', name: 'generic' },
          { label: 'WSSE', name: 'wsse' },
        ],
      },
      { name: 'namespace', label: 'Namespace', type: 'string' },
      { name: 'name', label: 'Name', type: 'string' },
      { name: 'data', label: 'Data', type: 'string', confidential: true },
      { name: 'mustunderstand', label: 'Must Understand', type: 'boolean', default: false },
      { name: 'actor', label: 'Actor', type: 'string' },
    ],
    filledByCall: true,
  }),
  ...cacheFields,
};

export type SoapConfig = ConfigOf<typeof soapFields>;

/** Where a WSDL is: at an address, in a file, or nowhere. */
export type WsdlPlace = { address: URL } | { file: string } | undefined;

/** Refuses what is neither an address of a web server nor the plain name of a file. */
export function wsdlPlace(text: string | null | undefined): WsdlPlace {
  const wsdl = text?.trim() ?? '';
  if (wsdl === '') return undefined;
  if (!/^[a-z][a-z0-9+.-]*:/i.test(wsdl) && isFileName(wsdl)) return { file: wsdl };
  const url = URL.canParse(wsdl) ? new URL(wsdl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw refuseField(
      'wsdl',
      'The wsdl must be an address that begins with http:// or https://, without a login, or the name of a file.',
    );
  return { address: url };
}

/** A name that stays in its folder. */
export const isFileName = (name: string): boolean => /^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,199}$/u.test(name);

/** Refuses configurations that no call could be made with. */
export function checkSoap({ wsdl, options, headers }: SoapConfig): void {
  const texts = [wsdl, ...Object.values(options ?? {})];
  // Lookup keys are put in when it is opened, and it is checked then.
  const isWhole = !texts.some((text) => String(text ?? '').includes('{'));
  if (isWhole) {
    const { location, uri } = readOptions(options ?? {});
    if (!wsdlPlace(wsdl) && (location === undefined || uri === undefined))
      throw refuseField('wsdl', 'The wsdl is required, or the options location and uri.');
  }
  for (const { type, name, data } of headers ?? []) {
    const kind = type?.trim() || 'generic';
    if (kind !== 'generic' && kind !== 'wsse') throw refuseField('headers', 'The type of a header is generic or wsse.');
    if (kind === 'generic' && !/^[\p{L}_][\p{L}\p{M}\p{N}._-]{0,199}$/u.test(name?.trim() ?? ''))
      throw refuseField('headers', 'A generic header must have a name that can be the name of an element.');
    const value = dataOf(data);
    if (kind === 'wsse' && (typeof value !== 'object' || value === null || !('username' in value)))
      throw refuseField('headers', 'The data of a WSSE header is an object with username and password.');
  }
}

/** The JSON of a header. */
export function dataOf(data: string | null | undefined): unknown {
  const text = data?.trim() ?? '';
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    throw refuseField('headers', 'The data of a header must be JSON.');
  }
}
