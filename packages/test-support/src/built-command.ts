import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = new URL('../../../', import.meta.url);

/** The built `sluice` command, to run with `node`. `buildPrograms` builds it. */
export const builtCommand = fileURLToPath(new URL('apps/cli/dist/main.js', root));

/** `NODE_COMPILE_CACHE` of processes in tests: halves the CPU time of every start but the first. */
export const compileCache = fileURLToPath(new URL('node_modules/.cache/compiled', root));

/**
 * Builds the API, the worker, and the command, unless their sources have not changed since the last
 * build.
 */
export async function buildPrograms(): Promise<void> {
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('tools/build.ts', root))]);
}
