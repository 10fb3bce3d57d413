import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { builtCommand, compileCache, testMasterKey } from '@sluice/test-support';

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Command {
  file: string;
  args: string[];
  env: Record<string, string>;
}

/** The `sluice` command of this checkout, without the settings of this process. */
function command(args: readonly string[], variables: Record<string, string> = {}): Command {
  const path = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
  const env = { ...path, NODE_COMPILE_CACHE: compileCache, ...variables };
  return { file: process.execPath, args: [builtCommand, ...args], env };
}

async function run(
  args: readonly string[],
  { input = '', variables = {} }: { input?: string; variables?: Record<string, string> } = {},
): Promise<Ended> {
  const { file, args: all, env } = command(args, variables);
  const child = spawn(file, all, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => undefined); // the command may exit without reading its input
  child.stdin.end(input);
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}

/** Creates a folder with an executable `sluice`, for `PATH`. */
async function bin(parent: string): Promise<string> {
  const folder = join(parent, 'bin');
  await mkdir(folder, { recursive: true });
  const { file, args } = command([]);
  await writeFile(join(folder, 'sluice'), `#!/bin/sh\nexec '${file}' ${args.join(' ')} "$@"\n`, { mode: 0o755 });
  return folder;
}

/** Runs `sluice` of this checkout until it exits. */
export const own = Object.assign(run, { command, bin, masterKey: testMasterKey });
