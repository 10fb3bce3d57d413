import { readFileSync } from 'node:fs';
import { readFile, readlink, realpath } from 'node:fs/promises';
import { errorCode } from './error-code.ts';
import { runCommand } from './run-command.ts';

/**
 * Identifies one process permanently: its pid and start time, so that a process that reuses the pid
 * is not mistaken for it. `undefined` if there is no such process (zombies do not count).
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  const started = process.platform === 'linux' ? linuxStart(pid) : await bsdStart(pid);
  return started === undefined ? undefined : `${pid} ${started}`;
}

/**
 * Start time in clock ticks since boot, with the boot id. The command name may contain spaces, so
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
 * Whether a process with that pid is running, regardless of its owner. Zombies do not count: in a
 * container, they may never be reaped.
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

/** Path of the program that a process runs; `undefined` if it is gone or another user's. */
export async function programOf(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') return await readlink(`/proc/${pid}/exe`);
    return (await runCommand('ps', ['-o', 'comm=', '-p', String(pid)])).trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a directory is the working directory of a process, as is the data directory of a server.
 * After a restart of the machine, a pid may belong to another server of the same kind. Always true
 * where the system does not report it.
 */
export async function worksIn(pid: number, directory: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(directory));
  } catch {
    return false; // it has exited, or belongs to another user
  }
}

/** The pid in a server's pid file; `undefined` if the file does not exist. */
export async function readPidFile(file: string): Promise<number | undefined> {
  try {
    const pid = Number.parseInt(await readFile(file, 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
