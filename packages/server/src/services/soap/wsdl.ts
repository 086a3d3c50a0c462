// A WSDL with all it imports, read from its address or from a file. How many documents there are, how long they are and where they
// may be is bounded: what one of them names is somebody else's choice.
import { open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, fail } from '@sluice/contract';
import type { SendOutside } from '../../fetch/open.ts';
import { refusedAddress } from '../engines/outside.ts';
import { isFileName, type WsdlPlace } from './config.ts';
import type { SoapOptions } from './options.ts';
import { Problem, type Program } from './program.ts';
import { decodeXml } from './text.ts';

/** Bytes of one document, and of all. */
const maxDocument = 4 * 1024 * 1024;
const maxWhole = 8 * 1024 * 1024;
const maxDocuments = 60;
const maxRedirects = 5;
/** Milliseconds for all documents. */
const readTime = 60_000;
/** The folder of files in the data folder. */
const folderName = 'wsdl';
/** What files are known by; nothing answers there, and nothing is asked. */
const fileBase = 'http://wsdl.invalid/';

export interface ReadWsdl {
  address: string;
  /** By address. */
  documents: Map<string, string>;
}

interface Source {
  place: NonNullable<WsdlPlace>;
  options: SoapOptions;
  /** Sends to the host of the WSDL, and to public ones. */
  send: SendOutside;
  dataFolder: string;
  program: Program;
}

/** Throws `soap.startup`, and `remote.unreachable` or `remote.timeout` where a server does not answer. */
export async function readWsdl(source: Source): Promise<ReadWsdl> {
  const { place, program } = source;
  const signal = AbortSignal.timeout(readTime);
  const address =
    'address' in place ? withoutFragment(place.address) : new URL(encodeURIComponent(place.file), fileBase).href;
  const documents = new Map<string, string>();
  const waiting = [address];
  let size = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (documents.has(next)) continue;
    if (documents.size >= maxDocuments) throw startup(`it imports more than ${maxDocuments} documents`);
    const bytes = await bytesOf(next, source, signal);
    size += bytes.length;
    if (size > maxWhole) throw startup(`with what it imports it has more than ${maxWhole} bytes`);
    const where = next;
    const { text, imports, root } = await about(where, () => program.look(decodeXml(bytes.content, bytes.type)));
    const wanted = next === address ? ['definitions'] : ['definitions', 'schema'];
    if (!wanted.includes(root)) throw startup(`${shown(where)} is no WSDL, but begins with "${root.slice(0, 80)}"`);
    documents.set(next, text);
    for (const imported of imports) waiting.push(resolve(imported, next));
  }
  return { address, documents };
}

const startup = (problem: string) => fail('soap.startup', { problem });

async function about<T>(address: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem) throw startup(`${shown(address)} cannot be read: ${error.message}`);
    throw error;
  }
}

function withoutFragment(url: URL): string {
  const bare = new URL(url);
  bare.hash = '';
  return bare.href;
}

/** Only what is on the web is imported. */
function resolve(imported: string, from: string): string {
  const url = URL.canParse(imported, from) ? new URL(imported, from) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw startup(`${shown(from)} imports ${JSON.stringify(imported.slice(0, 200))}, which is no address of the web`);
  return withoutFragment(url);
}

/** As people know it: without a query, which may hold a key. */
function shown(address: string): string {
  const { origin, pathname } = new URL(address);
  return address.startsWith(fileBase) ? decodeURIComponent(pathname.slice(1)) : origin + pathname;
}

interface Bytes {
  content: Uint8Array;
  length: number;
  type: string;
}

async function bytesOf(address: string, source: Source, signal: AbortSignal): Promise<Bytes> {
  const isOfFile = 'file' in source.place && address.startsWith(fileBase);
  const content = isOfFile ? await fileBytes(address, source.dataFolder) : undefined;
  return content ? { content, length: content.length, type: '' } : fetchBytes(address, source, signal);
}

async function fetchBytes(address: string, { place, options, send }: Source, signal: AbortSignal): Promise<Bytes> {
  const isHome = 'address' in place && new URL(address).origin === place.address.origin;
  try {
    const response = await send({
      verb: 'GET',
      address,
      // Credentials are for the server that was chosen.
      headers: new Map([...options.headers].filter(([name]) => isHome || name !== 'authorization')),
      maxRedirects,
      connectTimeout: options.connectTimeout,
      totalTimeout: options.totalTimeout,
      signal,
    });
    if (response.status !== 200) {
      response.discard();
      throw startup(`${shown(address)} was answered with the status ${response.status}`);
    }
    const content = await response.bytes(maxDocument);
    return { content, length: content.length, type: response.headers['content-type'] ?? '' };
  } catch (error) {
    if (error instanceof Failure && error.key === 'remote.tooLarge')
      throw startup(`${shown(address)} has more than ${maxDocument} bytes`);
    throw refusedAddress(error);
  }
}

/** A file of the folder, whatever its links say. */
async function fileBytes(address: string, dataFolder: string): Promise<Uint8Array> {
  const name = decodeURIComponent(new URL(address).pathname.slice(1));
  const missing = startup(
    `there is no file ${JSON.stringify(name.slice(0, 200))} in the folder ${folderName} of the data folder`,
  );
  if (!isFileName(name)) throw missing;
  try {
    const folder = await realpath(join(dataFolder, folderName));
    const path = await realpath(join(folder, name));
    if (path !== join(folder, name)) throw missing;
    const file = await open(path);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw missing;
      if (stats.size > maxDocument) throw startup(`${name} has more than ${maxDocument} bytes`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof Failure ? error : missing;
  }
}
