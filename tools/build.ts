/**
 * Builds the JavaScript of the API, the worker, the CLI, and their threads for production: `dist/`
 * of each package, and shared chunks in `dist/` of the root. A program that consists of about ten
 * files starts in half the time that it needs with 2,000 files
 * (docs/decisions/0074-bundled-programs.md). Does nothing if the sources have not changed since the
 * last build. `tsc -b` checks and emits the types.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serviceFolders } from '../packages/nodes-services/src/service-node-types.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'dist/.checksum');

/**
 * Main modules of processes and threads that must start fast. Modules that the same programs load
 * share a chunk.
 */
const programs = {
  api: 'apps/api/src/main.ts',
  worker: 'apps/worker/src/main.ts',
  cli: 'apps/cli/src/main.ts',
  up: 'apps/cli/src/up/up.ts',
  guest: 'packages/sandbox/src/threads/guest-thread.ts',
  thread: 'packages/nodes-base/src/threads/work-thread.ts',
  watchdog: 'packages/watchdog/src/watchdog-thread.ts',
  trial: 'packages/node-packages/src/trial/trial-process.ts',
} as const;

/**
 * Libraries that programs load at startup. They are bundled into the chunks with their
 * dependencies. All other libraries stay in `node_modules` and are loaded by the node that uses
 * them.
 */
const bundled = new Set([
  '@eslint-community/regexpp',
  '@fastify/busboy',
  '@sinclair/typebox',
  'acorn',
  'ajv',
  'aws4',
  'bullmq',
  'chokidar',
  'commander',
  'croner',
  'express',
  'express-rate-limit',
  'helmet',
  'ioredis',
  'ipaddr.js',
  'jsonrepair',
  'kysely',
  'leven',
  'luxon',
  'mime-types',
  'pg',
  'pino',
  'quick-lru',
  're2js',
  'shell-quote',
  'standardwebhooks',
  'typebox',
  'undici',
]);

/** Sources that programs read as text and run in a guest. */
const guestSources = ['packages/sandbox/src/guest/*.ts', 'packages/sandbox/src/python/child.ts'];

/** A virtual module that replaces `node:http` in the build. */
const httpModule = '\0http';

/** Age at which chunks of earlier builds are removed; a running process may load them. */
const keptMs = 24 * 60 * 60 * 1000;

const checksum = checksumOf(
  find('{apps/{api,worker,cli},packages/*}/{src/**/*.ts,package.json}', 'tools/build.ts', 'package-lock.json'),
);
if (readText(stamp) !== checksum || !existsSync(join(root, target(programs.cli)))) await build();

async function build(): Promise<void> {
  process.stderr.write('programs: building ...\n');
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: Object.fromEntries(entries().map((file) => [target(file).replace(/\.js$/, ''), join(root, file)])),
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    resolve: { conditionNames: ['source'] },
    transform: { target: 'esnext' },
    external: (id, importer = '') =>
      id !== 'node:http' &&
      isPackage(id) &&
      !importer.includes('/node_modules/') &&
      !bundled.has(packageName(id)) &&
      isInRoot(id, importer),
    // Some modules are imported lazily by one program and at startup by another.
    checks: { ineffectiveDynamicImport: false, pluginTimings: false },
    plugins: [
      {
        name: 'http without fetch',
        resolveId: (id, _importer, { kind }) => (id === 'node:http' && kind === 'import-statement' ? httpModule : null),
        load: (id) => (id === httpModule ? httpWithoutFetch() : null),
      },
      {
        name: 'locations',
        // Code that reads files relative to itself must find those of its own package, whichever
        // chunk it is in.
        transform: (code, id) =>
          id.startsWith(root) && !id.includes('/node_modules/') && code.includes('import.meta.url')
            ? code.replaceAll('import.meta.url', `__locationOf(${JSON.stringify(target(relative(root, id)))})`)
            : null,
        renderChunk: (code, { fileName }) =>
          code.replaceAll(/__locationOf\("(.*?)"\)/g, (_, file: string) => {
            const path = relative(dirname(fileName), file);
            return `new URL(${JSON.stringify(path.startsWith('.') ? path : `./${path}`)}, import.meta.url).href`;
          }),
      },
    ],
  });
  let programsOf: Map<string, string> | undefined;
  const { output } = await bundle.generate({
    format: 'esm',
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: 'dist/[name]-[hash].js',
    // If a chunk has two classes with the same name, one is renamed, but errors store the name of
    // their class.
    keepNames: true,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          debugName: 'programs',
          name: (id, chunking) => {
            programsOf ??= reachability((module) => chunking.getModuleInfo(module)?.importedIds ?? []);
            return programsOf.get(id) ?? null;
          },
        },
      ],
    },
  });
  await bundle.close();
  for (const file of output) if (file.type === 'chunk') write(file.fileName, inAscii(file.code));
  for (const file of find(...guestSources)) write(target(file), stripTypeScriptTypes(readText(join(root, file)) ?? ''));
  removeOld(new Set(output.map(({ fileName }) => fileName)));
  writeFileSync(stamp, checksum);
}

/**
 * Source of a module that exports the members of `node:http`, except those that load the `fetch`
 * client when they are read. An import of `node:http` itself reads all members, which costs up to
 * 0.1 s of CPU time at each start.
 */
function httpWithoutFetch(): string {
  const members = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(
    ([name, { get }]) => get === undefined && !name.startsWith('_'),
  );
  const names = members.map(([name]) => name).join(', ');
  return `const http = process.getBuiltinModule('node:http');\nexport default http;\nexport const { ${names} } = http;\n`;
}

/** Files that are loaded by name: exports of packages, programs, thread tasks, and node types. */
function entries(): string[] {
  const exported = find('{apps/{api,worker,cli},packages/*}/package.json').flatMap((manifest) => {
    const { exports = {} } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as {
      exports?: Record<string, { source: string; default?: string }>;
    };
    const built = Object.values(exports).filter((entry) => entry.default !== undefined);
    return built.map(({ source }) => join(dirname(manifest), source));
  });
  const services = [...serviceFolders].map(([type, folder]) => `packages/nodes-services/src/services/${folder}/${type}.ts`);
  const others = find('packages/*/src/**/*-{task,thread}.ts', 'packages/nodes-{ai,base}/src/nodes/*/*.ts');
  const types = others.filter((file) => !file.includes('/nodes/') || /-task\.ts$|\/([^/]+)\/\1\.ts$/.test(file));
  return [...new Set([...exported, ...Object.values(programs), ...services, ...types])];
}

/**
 * Module → joined names of the programs that load it at startup. Modules that no program loads at
 * startup are not in the map. Neither are main modules: every program that loads their chunk would
 * run them.
 */
function reachability(importsOf: (id: string) => readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const [name, file] of Object.entries(programs)) {
    const reached = new Set([join(root, file)]);
    for (const id of reached) for (const imported of importsOf(id)) reached.add(imported);
    reached.delete(join(root, file));
    for (const id of reached) names.set(id, [names.get(id), name].filter(Boolean).join('-'));
  }
  return names;
}

/** Path of the built file of a source file. */
function target(source: string): string {
  return source.replace('/src/', '/dist/').replace(/\.ts$/, '.js');
}

function isPackage(specifier: string): boolean {
  return /^[a-z@]/.test(specifier) && !/^(?:@sluice\/|@oxc-project\/runtime)/.test(specifier);
}

/**
 * Whether a package can be resolved from the root. A workspace may have its own version in its
 * `node_modules`.
 */
function isInRoot(id: string, importer: string): boolean {
  const [, own = ''] = /\/((?:apps|packages)\/[^/]+)\/src\//.exec(importer) ?? [];
  return own === '' || !existsSync(join(root, own, 'node_modules', packageName(id)));
}

function packageName(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

/** Escapes characters outside ASCII, because V8 stores ASCII sources in half the memory. */
function inAscii(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Replaces the file atomically, because a process may be reading it. */
function write(file: string, text: string): void {
  const path = join(root, file);
  if (readText(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

function removeOld(current: ReadonlySet<string>): void {
  for (const file of find('dist/*.js')) {
    if (!current.has(file) && Date.now() - statSync(join(root, file)).mtimeMs > keptMs)
      rmSync(join(root, file), { force: true });
  }
}

/** Paths relative to the root, sorted, without tests. */
function find(...patterns: string[]): string[] {
  return globSync(patterns, { cwd: root, exclude: ['**/*.test.ts', '**/src/testing/**'] }).sort();
}

function checksumOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
