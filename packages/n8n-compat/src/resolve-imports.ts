import { realpathSync } from 'node:fs';
import { builtinModules, createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { workflowModule } from './workflow-module/workflow-module.ts';

/*
 * Redirects `import` and `require` of n8n-workflow in files of community packages to our module,
 * even if a copy is installed next to it. The same applies to `@sluice/node-sdk`: all code must
 * share one copy. Hooks apply to the whole process and are kept, because packages also require
 * modules while they run. They check the importing file and ignore all others.
 */

/** Modules that our module replaces. Packages use only types and a few constants of n8n-core. */
const replaced: ReadonlySet<string> = new Set(['n8n-workflow', 'n8n-core']);
/** Resolved from this package, because third-party packages do not include it. */
const sdk = '@sluice/node-sdk';
const forRequire = 'sluice:n8n-workflow/require';
const forImport = 'sluice:n8n-workflow/import';

/** Key under which the stand-in source, which runs in the process's realm, finds the module. */
const shared = Symbol.for('sluice.n8n-workflow');
const host = createRequire(import.meta.url)('node:module') as Record<symbol, unknown>;

/** URL prefixes of files that get our module. */
const roots = new Set<string>();
/** Requested names that the module does not export. */
const missing = new Set<string>();
let isSet = false;

/**
 * Redirects imports of files in the folder, by its path and its real path. Throws if the runtime
 * does not allow hooks.
 */
export function shimImportsWithin(folder: string): void {
  if (!isSet) setHooks();
  isSet = true;
  for (const path of [folder, realpathSync(folder)]) roots.add(`${pathToFileURL(path).href.replace(/\/$/, '')}/`);
}

/** Loads a file as `require` does, including ES modules. */
export function requireFile(file: string): unknown {
  return createRequire(pathToFileURL(file))(file);
}

/** Returns missing exports that were requested since the last call. */
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

/**
 * The condition `source` applies only to this repository; other packages may use it differently.
 */
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

/** Records missing names; reading one is not an error, as with any module. */
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
