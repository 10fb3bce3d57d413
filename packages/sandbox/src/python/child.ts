import { randomBytes } from 'node:crypto';
import { readFileSync, writeSync } from 'node:fs';
import { constants, createContext, Script } from 'node:vm';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/*
 * The program of a Python process. It gets its files as open descriptors, a `Launch` as the first
 * line of standard input and the request as the rest, and writes a line when Python is loaded, then
 * the reply. It runs under Node's permission model with nothing allowed. Without a snapshot to
 * start from, it writes a snapshot and exits.
 *
 * Python runs in a bare realm: ECMAScript and WebAssembly, no objects of Node. Only
 * strings cross its boundary. An object of this realm would give Python access to `process`, so
 * code here must not pass an object to that realm, await its promises, or read properties of its
 * objects.
 */

const descriptors = { wasm: 3, engine: 4, loader: 5, library: 6, snapshot: 7 };
/** Random bytes for one run, because the realm has no source of randomness. */
const randomLength = 1024 * 1024;

interface Launch {
  /** Script that prepares the realm. */
  realm: string;
  /** Libraries for the realm, as scripts. */
  libraries: string[];
  /** Additional globals of the realm, by name. */
  texts: Record<string, string>;
  maxHeapBytes: number;
}

const input = readFileSync(0, 'utf8');
const endOfLine = input.indexOf('\n');
const launch = JSON.parse(input.slice(0, endOfLine)) as Launch;

/**
 * Signals are the only way to cause lasting damage outside this process; the permission model does
 * not cover them.
 */
for (const name of ['kill', '_kill', '_debugProcess', 'binding', 'dlopen', 'execve', 'getBuiltinModule']) {
  Reflect.deleteProperty(process, name);
}

/** An uncaught error is an object of the realm; printing it would call into the realm. */
process.setUncaughtExceptionCaptureCallback(() => process.exit(1));

const realm = createContext(constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: true } });
const inputs: Record<string, string> = {
  ...launch.texts,
  request: input.slice(endOfLine + 1),
  wasm: readFileSync(descriptors.wasm, 'base64'),
  library: readFileSync(descriptors.library, 'base64'),
  random: randomBytes(randomLength).toString('base64'),
  snapshot: readSnapshot(),
};
for (const [name, text] of Object.entries(inputs)) Reflect.set(realm, name, text);

run(launch.realm, 'realm');
for (const library of launch.libraries) run(library, 'library');
run(asScript(engineSource(), /export default (\w+);?\s*$/, 'createPyodideModule'), 'engine');
run(
  asScript(plain(readFileSync(descriptors.loader, 'utf8')), /export\s*\{\s*(\w+) as loadPyodide,[^}]*\};?/, 'loadPyodide'),
  'loader',
);
run('start()', 'start');

/** Runs the realm's timers that are due; returns the text that it wants written, if any. */
const turn = new Script('turn()', { filename: 'turn' });
let isReady = false;
const clock = setInterval(() => {
  const text = turnRealm();
  if (typeof text !== 'string') return;
  if (!isReady) {
    if (text !== 'ready') process.exit(1);
    isReady = true;
    if (inputs['snapshot'] !== '') write(Buffer.from('ready\n'));
    run(inputs['snapshot'] === '' ? 'makeSnapshot()' : 'runCode()', 'run');
    return;
  }
  clearInterval(clock);
  write(inputs['snapshot'] === '' ? zstdCompressSync(Buffer.from(text, 'base64')) : Buffer.from(text));
  process.exit(0);
}, 1);

/** As base64; empty if there is no snapshot. */
function readSnapshot(): string {
  const bytes = readFileSync(descriptors.snapshot);
  return bytes.length === 0 ? '' : zstdDecompressSync(bytes).toString('base64');
}

function turnRealm(): unknown {
  try {
    return turn.runInContext(realm, { displayErrors: false });
  } catch {
    return undefined; // of a timer: an object of the other realm, which must not be inspected
  }
}

function run(source: string, filename: string): void {
  new Script(source, { filename }).runInContext(realm, { displayErrors: false });
}

/** Python then raises MemoryError by itself. The process is also monitored from outside. */
function engineSource(): string {
  return replaceOnce(
    plain(readFileSync(descriptors.engine, 'utf8')),
    /getHeapMax=\(\)=>\d+/,
    `getHeapMax=()=>${launch.maxHeapBytes}`,
  );
}

/** A module without dynamic imports, because their promises belong to this realm. */
function plain(source: string): string {
  return source.replace(/\bimport\s*\(/g, 'refuseImport(').replace(/\bimport\.meta\.url\b/g, '"file:///pyodide/"');
}

/** The module as a script that assigns its only export to a global of that name. */
function asScript(source: string, exported: RegExp, name: string): string {
  return `(() => {${replaceOnce(source, exported, (_, local: string) => `globalThis.${name} = ${local};`)}\n})()`;
}

function replaceOnce(source: string, pattern: RegExp, by: string | ((match: string, group: string) => string)): string {
  if (!pattern.test(source)) throw new Error(`this version of Pyodide has no ${pattern.source}`);
  return typeof by === 'string' ? source.replace(pattern, by) : source.replace(pattern, by);
}

/** Standard output is a pipe, which may be full. */
function write(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
