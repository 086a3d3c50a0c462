// The thread that QuickJS runs in, compiled to WebAssembly. It has no file, no process and no network of its own, and each run a
// runtime of its own, made ahead: nothing of one run is there for the next. Where a script waits for the server (`platform.api`),
// this thread waits, too. Plain JavaScript, since a thread does not inherit the loader of TypeScript.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';
import { prelude } from './prelude.mjs';

const { wasmModule, answered, memory } = workerData;
/** In pages of 64 KiB, which bounds what a script has: the limit of a QuickJS runtime counts nothing in WebAssembly. */
const emptyPages = 256;
const wasmMemory = new WebAssembly.Memory({ initial: emptyPages, maximum: emptyPages + Math.ceil(memory / 65_536) });
const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule, wasmMemory }));

/** Characters of output that are collected before they are passed on. */
const logChunk = 16 * 1024;
/** Bytes of WebAssembly memory above which the thread is not used again: it never shrinks. */
const maxKept = 48 * 1024 * 1024;

let output = '';
let bounds = { result: 0 };
let next = prepare();
parentPort.on('message', run);

/** A runtime with the functions of the platform, before its script is known. */
function prepare() {
  const runtime = quickjs.newRuntime();
  const context = runtime.newContext();
  const host = context.newFunction('host', (name, argument) => {
    const answer = callHost(
      context.getString(name),
      context.typeof(argument) === 'string' ? context.getString(argument) : '',
    );
    return answer === undefined ? context.undefined : context.newString(answer);
  });
  const make = context.unwrapResult(context.evalCode(prelude, 'prelude.js'));
  const start = context.unwrapResult(context.callFunction(make, context.undefined, host));
  make.dispose();
  return { runtime, context, host, start };
}

/** What the script asks of the server: name and argument in, JSON out. */
function callHost(name, argument) {
  if (name === 'log') {
    output += JSON.parse(argument);
    if (output.length >= logChunk) flush();
    return undefined;
  }
  if (name === 'sleep') {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.max(0, JSON.parse(argument)) * 1_000);
    return undefined;
  }
  if (name === 'module') return moduleText(JSON.parse(argument));
  return ask(name, argument);
}

function flush() {
  const text = output;
  output = '';
  if (text !== '') ask('log', text);
}

/** Passes a request on and waits until it is answered. The server ends this thread where the run is over. */
function ask(name, argument) {
  Atomics.store(answered, 0, 0);
  parentPort.postMessage({ kind: 'call', name, argument });
  Atomics.wait(answered, 0, 0);
  return receiveMessageOnPort(parentPort)?.message.answer;
}

const modules = new Map([['lodash', { file: 'lodash/lodash.min.js', global: '_' }]]);
const texts = new Map();

/** A library that comes with the engine, by its name with or without an ending. */
function moduleText(name) {
  const known = name.replace(/(\.min)?(\.js)?$/, '');
  const module = modules.get(known);
  if (!module) return undefined;
  if (!texts.has(known)) {
    const text = readFileSync(createRequire(import.meta.url).resolve(module.file), 'utf8');
    texts.set(known, JSON.stringify({ name: known, text, global: module.global }));
  }
  return texts.get(known);
}

function run({ script, event, config, session, result }) {
  bounds = { result };
  let outcome;
  try {
    outcome = runScript(script, event, config, session);
  } catch (error) {
    // WebAssembly itself gave up: it has no more memory, or its stack is full.
    outcome = { kind: error instanceof WebAssembly.RuntimeError || error instanceof RangeError ? 'memory' : 'broken' };
    if (outcome.kind === 'broken') outcome.problem = String(error);
    outcome.isWorn = true;
  }
  outcome.log = output;
  output = '';
  outcome.isWorn ||= wasmMemory.buffer.byteLength > maxKept;
  parentPort.postMessage(outcome);
  if (!outcome.isWorn) next = prepare();
}

function runScript(script, event, config, session) {
  const { runtime, context, host, start } = next;
  const limit = context.newNumber(bounds.result);
  context.setProp(host, 'maxResult', limit);
  limit.dispose();
  const texts = [script, event, config, session].map((text) => context.newString(text));
  const called = context.callFunction(start, context.undefined, ...texts);
  let outcome;
  if (called.error) {
    // Outside what the prelude catches: there was no memory left for that.
    outcome = { kind: 'memory' };
    called.error.dispose();
  } else {
    outcome = Object.fromEntries(
      ['kind', 'event', 'returned', 'message', 'statusCode', 'code'].map((name) => [
        name,
        readMember(context, called.value, name),
      ]),
    );
    called.value.dispose();
  }
  for (const handle of [...texts, start, host]) handle.dispose();
  context.dispose();
  runtime.dispose();
  return outcome;
}

/** A text or a number; undefined for anything else. */
function readMember(context, object, name) {
  const handle = context.getProp(object, name);
  const type = context.typeof(handle);
  const value =
    type === 'string' ? context.getString(handle) : type === 'number' ? context.getNumber(handle) : undefined;
  handle.dispose();
  return value;
}
