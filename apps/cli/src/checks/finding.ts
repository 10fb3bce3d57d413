import { printable, type Terminal } from '../terminal.ts';

/** A configuration problem and its fix. */
export interface Finding {
  /** `error`: the service cannot work. */
  level: 'error' | 'warning';
  /** Stable name of the check: `redis-eviction`. */
  check: string;
  message: string;
  fix: string;
}

/** Two lines: the problem and the fix. */
export function findingText({ level, message, fix }: Finding): string {
  return `${level}: ${message}\n  fix: ${fix}`;
}

export function printFindings(findings: readonly Finding[], terminal: Terminal): void {
  for (const finding of findings) for (const line of findingText(finding).split('\n')) terminal.warn(printable(line));
}
