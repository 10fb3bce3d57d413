import { parseInstant } from '@sluice/contract';
import { type AuditFilter, type AuditRecord, AuditRepository } from '@sluice/db';
import { ExitError, exitCodes } from '../exit-codes.ts';
import { printable, type Terminal } from '../terminal.ts';
import { withDatabase } from './administer.ts';

export interface AuditOptions {
  since?: string;
  actor?: string;
  object?: string;
  limit: string;
  json: boolean;
}

const pageSize = 500;
const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Prints the newest matching entries of the audit log, oldest first. */
export async function printAuditLog({ since, actor, object, limit, json }: AuditOptions, terminal: Terminal): Promise<void> {
  if (!/^[1-9]\d{0,6}$/.test(limit)) throw new ExitError(exitCodes.usage, '--limit must be a whole number from 1 to 9999999');
  const filter: AuditFilter = {
    ...(since === undefined ? {} : { since: toInstant(since) }),
    ...(actor === undefined ? {} : { actor }),
    ...(object === undefined ? {} : { object }),
  };
  const records = await withDatabase((db) => read(new AuditRepository(db.kysely), filter, Number(limit)));
  const texts = json ? [JSON.stringify(records, undefined, 2)] : records.map(toLine);
  for (const text of texts) terminal.line(text);
}

async function read(log: AuditRepository, filter: AuditFilter, limit: number): Promise<AuditRecord[]> {
  const newestFirst: AuditRecord[] = [];
  for (;;) {
    const last = newestFirst.at(-1);
    const size = Math.min(pageSize, limit - newestFirst.length);
    const page = await log.list(filter, { limit: size, ...(last && { before: last.id }) });
    newestFirst.push(...page);
    if (page.length < size || newestFirst.length >= limit) return newestFirst.reverse();
  }
}

function toLine({ at, actor, ip, action, outcome, ...record }: AuditRecord): string {
  const about = [record.objectType, record.objectId, record.objectName].filter((part) => part !== null);
  const details = record.details === null ? '' : JSON.stringify(record.details);
  const who = actor ?? record.userId ?? 'unknown';
  const parts = [at.toISOString(), outcome, action, about.join(' '), `by ${who}`, ip && `from ${ip}`, details];
  return parts
    .filter((part) => part)
    .map((part) => printable(part as string))
    .join('  ');
}

function toInstant(text: string): Date {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const instant = count && unit ? Date.now() - Number(count) * (unitMs[unit] ?? 0) : parseInstant(text);
  if (instant !== undefined) return new Date(instant);
  throw new ExitError(
    exitCodes.usage,
    '--since must be an ISO 8601 date or date-time, or a duration before now such as 30m, 12h, or 7d',
  );
}
