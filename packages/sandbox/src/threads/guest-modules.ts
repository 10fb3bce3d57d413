import { readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';

/** The modules in `guest/` are TypeScript or compiled, like this file. */
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

export type GuestLibrary = 'luxon' | 'buffer' | 'jmespath';

/** Source of a guest module, by its name from `resolveGuestModule`. */
export function readGuestModule(name: string): string {
  if (!/^\.\/[a-z-]+$/.test(name)) throw new Error(`the guest has no module ${name}`);
  const source = readFileSync(new URL(`../guest/${name}${extension}`, import.meta.url), 'utf8');
  return extension === '.ts' ? stripTypeScriptTypes(source) : source;
}

/** All modules are in one folder, so a specifier without its extension identifies them. */
export function resolveGuestModule(_from: string, specifier: string): string {
  return specifier.replace(/\.[jt]s$/, '');
}

/** Source of a library as one ES module. */
export function readLibrary(name: GuestLibrary): string {
  const require = createRequire(import.meta.url);
  if (name === 'luxon') return readFileSync(new URL(import.meta.resolve('luxon')), 'utf8');
  if (name === 'jmespath') return asModule([['jmespath', require.resolve('jmespath')]]);
  const entry = require.resolve('buffer/');
  const { resolve } = createRequire(entry);
  return asModule([
    ['buffer', entry],
    ['base64-js', resolve('base64-js')],
    ['ieee754', resolve('ieee754')],
  ]);
}

/**
 * CommonJS modules that require each other by name. The exports of the first are the default
 * export.
 */
function asModule(modules: readonly (readonly [name: string, path: string])[]): string {
  const [first] = modules;
  const sources = modules.map(([name, path]) => {
    return `${JSON.stringify(name)}: function (module, exports, require) {\n${readFileSync(path, 'utf8')}\n}`;
  });
  return `const sources = {\n${sources.join(',\n')}\n};
const require = (name) => {
  const module = { exports: {} };
  sources[name](module, module.exports, require);
  return module.exports;
};
export default require(${JSON.stringify(first?.[0])});`;
}
