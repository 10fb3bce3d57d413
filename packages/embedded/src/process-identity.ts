import { readFileSync } from 'node:fs';
import { readlink, realpath } from 'node:fs/promises';
import { errorCode } from './error-code.ts';
import { runCommand } from './run-command.ts';

/**
 * Identifies one process permanently: its pid and start time, so that a process that reuses the pid
 * is not taken for it. `undefined`: there is no such process (a zombie does not count).
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  const started = process.platform === 'linux' ? linuxStart(pid) : await bsdStart(pid);
  return started === undefined ? undefined : `${pid} ${started}`;
}

/**
 * Start time in clock ticks since boot, with the boot's id. The command name may contain spaces, so
 * fields are counted after its `)`.
 */
function linuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return fields[0] === 'Z' ? undefined : `${fields[19]} ${bootId}`;
  } catch {
    return undefined;
  }
}

async function bsdStart(pid: number): Promise<string | undefined> {
  try {
    return (await runCommand('ps', ['-o', 'lstart=', '-p', String(pid)])).trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a process with that pid runs, regardless of its owner. A zombie does not: in a container,
 * it may never be collected.
 */
export function isAlive(pid: number): boolean {
  if (process.platform === 'linux') return linuxStart(pid) !== undefined;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Path of the program that a process runs; `undefined` if the process is gone or belongs to another user. */
export async function programOf(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') return await readlink(`/proc/${pid}/exe`);
    return (await runCommand('ps', ['-o', 'comm=', '-p', String(pid)])).trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a process works in a directory, as servers do in that of their data. After a restart of the
 * machine, a pid may belong to another server of the same kind. Always true where the system does not
 * say it.
 */
export async function worksIn(pid: number, directory: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(directory));
  } catch {
    return false; // it has exited, or belongs to another user
  }
}
