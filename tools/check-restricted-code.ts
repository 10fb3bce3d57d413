/** Checks every source file for code that is restricted to other files. Prints all violations. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findRestrictedCode } from './restricted-code.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const paths = globSync('{packages,apps}/*/src/**/*.{ts,tsx}', { cwd: root }).sort();
const violations = findRestrictedCode(paths.map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') })));
for (const violation of violations) console.error(violation);
if (violations.length > 0) process.exitCode = 1;
