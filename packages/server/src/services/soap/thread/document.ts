// An XML document of a SOAP server before the library sees it: no document type, bounded depth and number of elements, no names
// that mean something to every object of JavaScript.
import { Failure } from '@sluice/contract';
import { visitXml } from '../../../call/formats/xml-reader.ts';

/** Why a document, an argument or an answer is not taken, in words for people. */
export class Unreadable extends Error {}

/** What is to be known of a document without the library. */
export interface SeenDocument {
  /** Its text, CDATA sections escaped: the library would read XML in one as a part of the document. */
  text: string;
  /** The name and namespace of the outermost element. */
  root: { name: string; namespace: string | undefined };
  /** The addresses of what it imports and includes, as they are written. */
  imports: string[];
  /** The ports of a WSDL by name, with the namespace of their addresses, which tells SOAP 1.1 from 1.2. */
  ports: Map<string, string | undefined>;
}

const importing = new Set(['import', 'include', 'redefine']);
/** What is there in every object: the library keeps what it reads in such. */
const reserved = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Reads over a document; throws `Unreadable`. */
export function lookAt(source: string): SeenDocument {
  const text = source
    .replace(/^\ufeff/, '')
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_all, inside: string) => escapeXml(inside));
  const namespaces = new Map<string, string>();
  const ports: SeenDocument['ports'] = new Map();
  const imports: string[] = [];
  let root: SeenDocument['root'] | undefined;
  let port = '';
  try {
    visitXml(text, (name, attributes) => {
      const local = localName(name);
      refuseReserved(local);
      for (const [attribute, value] of attributes) {
        refuseReserved(localName(attribute));
        refuseReserved(/[^:#]*$/.exec(value)?.[0] ?? '');
        const prefix = /^xmlns(?::(.*))?$/.exec(attribute);
        if (prefix) namespaces.set(prefix[1] ?? '', value);
      }
      const namespace = namespaces.get(name.includes(':') ? name.slice(0, name.indexOf(':')) : '');
      root ??= { name: local, namespace };
      if (importing.has(local)) imports.push(attributes.get('schemaLocation') ?? attributes.get('location') ?? '');
      if (local === 'port') port = attributes.get('name') ?? '';
      if (local === 'address' && port !== '') ports.set(port, namespace);
    });
  } catch (error) {
    if (error instanceof Failure) throw new Unreadable(error.message);
    throw error;
  }
  if (!root) throw new Unreadable('it has no element');
  return { text, root, imports: imports.filter((address) => address !== ''), ports };
}

function refuseReserved(name: string): void {
  if (reserved.has(name)) throw new Unreadable(`it uses the name "${name}", which cannot be read here`);
}

export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const characters = new Map(Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }));

/** A text as XML has it, in elements and in attributes. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => characters.get(character) as string);
