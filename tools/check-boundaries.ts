/** Checks every source file against the import rules, and fails with all violations. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findCycle, findViolations, folderArrows, rules } from './boundaries.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const patterns = ['{packages,apps}/*/{src,tests}/**/*.ts', '{tests,bench}/**/*.ts', 'tools/!(*.test).ts'];
const paths = globSync(patterns, { cwd: root }).sort();
const files = paths.map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }));

const cycles = [rules.arrows, folderArrows(files)].map(findCycle).filter((cycle) => cycle !== undefined);
const violations = [...cycles.map((cycle) => `cycle: ${cycle.join(' → ')}`), ...findViolations(files, rules)];
for (const violation of violations) console.error(violation);
if (violations.length > 0) process.exitCode = 1;
