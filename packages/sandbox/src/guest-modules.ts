import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** The guest's modules lie in `guest/`, as TypeScript or compiled, whichever this file is itself. */
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/** Source of one of the guest's own modules, by the name that `resolveGuestModule` gives it. */
export function readGuestModule(name: string): string {
  if (!/^\.\/[a-z-]+$/.test(name)) throw new Error(`the guest has no module ${name}`);
  const source = readFileSync(new URL(`./guest/${name}${extension}`, import.meta.url), 'utf8');
  return extension === '.ts' ? stripTypeScriptTypes(source) : source;
}

/** All of them are siblings: a specifier without its ending names them. */
export function resolveGuestModule(_from: string, specifier: string): string {
  return specifier.replace(/\.[jt]s$/, '');
}

export function readLuxon(): string {
  return readFileSync(new URL(import.meta.resolve('luxon')), 'utf8');
}
