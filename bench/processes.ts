import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second of `/proc/<pid>/stat`: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

interface ProcessStat {
  pid: number;
  parent: number;
  cpuMs: number;
}

function readStat(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces; the numbers start after it with field 3.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // user and system time, of the process and of its reaped children
    const ticks = [11, 12, 13, 14].reduce((sum, i) => sum + Number(fields[i]), 0);
    return { pid, parent: Number(fields[1]), cpuMs: (ticks * 1_000) / ticksPerSecond };
  } catch {
    return undefined; // it has already exited
  }
}

/** CPU milliseconds that this process and its descendants have used so far. */
export function cpuMsOfAll(): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? []);
  const family = new Set([process.pid]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const stat of stats) if (family.has(stat.parent)) family.add(stat.pid);
  }
  return stats.filter((stat) => family.has(stat.pid)).reduce((sum, stat) => sum + stat.cpuMs, 0);
}

/** Resident memory of a process, in MB. */
export function rssMb(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) / 1_024;
}
