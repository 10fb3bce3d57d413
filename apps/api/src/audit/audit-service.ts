import { type AuditEntryView, type ListAuditQuery, parseInstant } from '@sluice/contract';
import type { AuditFilter, AuditRecord, AuditRepository } from '@sluice/db';
import { assertInstanceAdmin, type Caller } from '../auth/caller.ts';
import { firstPage, mapPage, type Page } from '../paging/page.ts';
import { decodeCursor, encodeCursor } from '../paging/page-cursors.ts';

/** Reads the instance's audit log; for owners and admins. */
export class AuditService {
  readonly #audit: Pick<AuditRepository, 'list'>;

  constructor({ audit }: { audit: Pick<AuditRepository, 'list'> }) {
    this.#audit = audit;
  }

  /** Newest first. */
  async list({ cursor, limit, ...filter }: ListAuditQuery, caller: Caller): Promise<Page<AuditEntryView>> {
    assertInstanceAdmin(caller);
    const before = cursor === undefined ? undefined : decodeCursor('audit', cursor).id;
    const records = await this.#audit.list(toFilter(filter), { limit: limit + 1, ...(before !== undefined && { before }) });
    const page = firstPage(records, limit, ({ id }) => encodeCursor('audit', { id }));
    return mapPage(page, toView);
  }
}

function toFilter({ since, actor, object }: Omit<ListAuditQuery, 'cursor' | 'limit'>): AuditFilter {
  const instant = since === undefined ? undefined : parseInstant(since);
  return {
    ...(instant !== undefined && { since: new Date(instant) }),
    ...(actor !== undefined && { actor }),
    ...(object !== undefined && { object }),
  };
}

function toView({ at, ...record }: AuditRecord): AuditEntryView {
  return { ...record, at: at.toISOString() };
}
