// npm run client -- <address>: writes a typed client of an instance, one TypeScript file, from the document that its key may see.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { load } from './load.mjs';
import { requireNode } from './prepare.mjs';

const usage = `npm run client -- <address> [--service NAME] [--out FILE]

  <address>   of the instance: https://api.example.com
  --service   only this service
  --out       the file to write: sluice.ts unless it is named

The API key is taken from SLUICE_KEY (empty: without a key), or asked for. It does not get into the file.`;

/** How long the document may take, and how large it may be. */
const timeout = 60_000;
const maxBytes = 128 * 1024 * 1024;

class UsageError extends Error {}

requireNode();
try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
  if (error instanceof UsageError) {
    console.error(`\n${usage}`);
    process.exitCode = 2;
  }
}

async function main() {
  const { address, service, out, isHelp } = readArguments();
  if (isHelp) {
    console.log(usage);
    return;
  }
  const key = process.env.SLUICE_KEY ?? (await askForKey());
  const document = await fetchDocument(address, service, key);
  const { clientMark, generateClient } = await load('packages/client/src/index.ts');
  const text = generateClient(document, { address });
  const old = readOld(out);
  if (old !== undefined && !old.startsWith(clientMark))
    throw new Error(`${out} is there and no client of ours: it is left as it is. Name another file with --out.`);
  if (old === text) {
    console.log(`${out} is up to date.`);
    return;
  }
  writeFileSync(out, text);
  console.log(`Wrote ${out}: import { createClient } from './${basename(out)}'`);
}

function readArguments() {
  let parsed;
  try {
    const options = { service: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean', short: 'h' } };
    parsed = parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message);
  }
  const { values, positionals } = parsed;
  if (values.help) return { isHelp: true };
  const [address, ...more] = positionals;
  if (!address || more.length > 0) throw new UsageError('Name one address.');
  // npm runs us in the folder of the repository.
  const out = resolve(process.env.INIT_CWD ?? process.cwd(), values.out || 'sluice.ts');
  return { address: checkAddress(address), service: values.service, out };
}

/** The address as the client gets it. */
function checkAddress(text) {
  let url;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError(`${text} is no address; one begins with https:// or http://.`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new UsageError('An address begins with https:// or http://.');
  // It stands in the file.
  if (url.username || url.password || url.search || url.hash)
    throw new UsageError('The address must be without a name, a password and a query.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/api\/v2$/, '');
}

/** Reads the key from the terminal and does not show it. */
async function askForKey() {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) throw new UsageError('Set SLUICE_KEY to an API key.');
  stderr.write('API key (not shown): ');
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  let key = '';
  try {
    for await (const letters of stdin)
      for (const letter of letters) {
        if (letter === '\r' || letter === '\n') return key;
        if (letter === '\u0003' || letter === '\u0004') throw new Error('No key was given.');
        key = letter === '\u007f' || letter === '\b' ? key.slice(0, -1) : key + letter;
      }
    return key;
  } finally {
    stdin.setRawMode(false);
    stderr.write('\n');
  }
}

async function fetchDocument(address, service, key) {
  const path = service === undefined ? '' : `/${encodeURIComponent(service)}`;
  const url = `${address}/api/v2/api_docs${path}?openapi=3.1`;
  let response;
  try {
    response = await fetch(url, {
      headers: { Accept: 'application/json', ...(key ? { 'X-DreamFactory-API-Key': key } : {}) },
      // The key is for this address alone.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
  } catch (error) {
    throw new Error(`${address} does not answer: ${error.cause?.code ?? error.cause?.message ?? error.message}`);
  }
  if (response.status >= 300 && response.status < 400)
    throw new Error(`${address} sends its callers to ${response.headers.get('location')}: name that address.`);
  const body = await readJson(response);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${body?.error?.message ?? response.statusText}`);
  if (typeof body?.openapi !== 'string' || typeof body.paths !== 'object')
    throw new Error(`${url} does not answer an OpenAPI document: is it the address of an instance?`);
  if (Object.keys(body.paths).length === 0)
    throw new Error(`${address} offers this key nothing: there is no client to write.`);
  return body;
}

async function readJson(response) {
  const pieces = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new Error(`The document is larger than ${maxBytes} bytes: name a --service.`);
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    return undefined;
  }
}

function readOld(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be written: ${error.code}`);
  }
}
