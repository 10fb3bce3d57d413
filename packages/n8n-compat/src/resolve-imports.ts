import { realpathSync } from 'node:fs';
import { builtinModules, createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { workflowModule } from './workflow-module/workflow-module.ts';

/*
 * `import` and `require` of n8n-workflow from a file of a community package give the module of ours, also where a copy of that name is installed beside it.
 * So does `@sluice/node-sdk`, of which all code has to have the same copy. Hooks hold for a process, so they are set once and kept: packages require things while they run, too. They look at who asks, and leave all others alone.
 */

/** Modules that ours stands in for. Of n8n-core, packages use types and the odd constant. */
const replaced: ReadonlySet<string> = new Set(['n8n-workflow', 'n8n-core']);
/** Found where we find it: packages of others do not bring it. */
const sdk = '@sluice/node-sdk';
const forRequire = 'sluice:n8n-workflow/require';
const forImport = 'sluice:n8n-workflow/import';

/** Where the text of the stand-in, which runs in the process's own realm, finds the module. */
const shared = Symbol.for('sluice.n8n-workflow');
const host = createRequire(import.meta.url)('node:module') as Record<symbol, unknown>;

/** Starts of the URLs of files that see the module of ours. */
const roots = new Set<string>();
/** Names that packages asked the module for, and that it does not have. */
const missing = new Set<string>();
let isSet = false;

/** From now on files in the folder, by its own path and by the one behind links, get our modules. Throws where the runtime lets no hooks be set. */
export function shimImportsWithin(folder: string): void {
  if (!isSet) setHooks();
  isSet = true;
  for (const path of [folder, realpathSync(folder)]) roots.add(`${pathToFileURL(path).href.replace(/\/$/, '')}/`);
}

/** Loads a file as `require` does, ES modules too. */
export function requireFile(file: string): unknown {
  return createRequire(pathToFileURL(file))(file);
}

/** What the module was asked for in vain since the last call. */
export function takeMissingExports(): string[] {
  const names = [...missing];
  missing.clear();
  return names;
}

function setHooks(): void {
  host[shared] = watched(workflowModule);
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const isTheirs = context.parentURL !== undefined && [...roots].some((root) => context.parentURL?.startsWith(root));
      if (!isTheirs || builtinModules.includes(specifier)) return nextResolve(specifier, context);
      const isRequired = context.conditions.includes('require');
      if (specifier === sdk) {
        const url = import.meta.resolve(sdk);
        return nextResolve(isRequired ? fileURLToPath(url) : url, context);
      }
      if (!replaced.has(specifier)) return nextResolve(specifier, withoutOurCondition(context));
      return {
        url: isRequired ? forRequire : forImport,
        format: isRequired ? 'commonjs' : 'module',
        shortCircuit: true,
      };
    },
    load(url, context, nextLoad) {
      if (url === forRequire) return { format: 'commonjs', source: requireSource, shortCircuit: true };
      if (url === forImport) return { format: 'module', source: importSource(), shortCircuit: true };
      return nextLoad(url, context);
    },
  });
}

/** `source` means the sources of this repository alone; other packages have other uses for the word. */
function withoutOurCondition<T extends { conditions: string[] }>(context: T): T {
  return { ...context, conditions: context.conditions.filter((condition) => condition !== 'source') };
}

const requireSource = `module.exports = require('node:module')[Symbol.for('sluice.n8n-workflow')];`;

function importSource(): string {
  const names = Object.keys(workflowModule).join(', ');
  return `import host from 'node:module';
const shim = host[Symbol.for('sluice.n8n-workflow')];
export default shim;
export const { ${names} } = shim;`;
}

/** Notes names that are not there; asking is no error, as with any module. */
function watched(module: Readonly<Record<string, unknown>>): object {
  return new Proxy(
    { ...module, __esModule: true },
    {
      get(target, name, receiver) {
        if (typeof name === 'string' && !(name in target) && !['default', 'then'].includes(name)) missing.add(name);
        return Reflect.get(target, name, receiver);
      },
    },
  );
}
