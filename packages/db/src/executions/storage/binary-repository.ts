import { type ExecutionId, ForbiddenError, NotFoundError } from '@sluice/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Access, anyOf, isAccessible } from '../../access.ts';
import { compiled } from '../../statements/compiled.ts';
import { rows, statement } from '../../statements/statement.ts';
import type { Tables } from '../../tables/tables.ts';

/** A completely uploaded file. */
export interface StoredBinary {
  id: string;
  fileName: string | null;
  mimeType: string;
  /** Bytes. */
  size: number;
}

export interface NewBinary {
  id: string;
  executionId: ExecutionId;
  fileName: string | null;
  mimeType: string;
}

/** A file that may remain in the file storage after an execution that referenced it was deleted. */
export interface BinaryLeftover {
  seq: string;
  binaryId: string;
  /** Whether its upload was incomplete. */
  interrupted: boolean;
  /** Whether other executions reference the file; then its bytes are kept. */
  referenced: boolean;
}

/**
 * Base of the retry delay for failed deletions, in milliseconds; a random part of up to the same
 * length is added. The random part varies which files are delayed by a file that cannot be deleted.
 */
const retryAfterMs = 300_000;

/**
 * Minimum bytes that a file counts toward the cap of an execution: even empty files use storage.
 */
export const leastCountedBytes = 4096;

/**
 * Records which execution references which file, and so who may read it and how long it is kept.
 * The row is inserted before the bytes are written: after any crash, every file in the storage has
 * a row. When the last row of a file is deleted, the same transaction records a leftover, and the
 * bytes are deleted in the background.
 */
export class BinaryRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Registers a file before its upload. Safe to repeat. False: the execution is not running. */
  async begin({ id, executionId, fileName, mimeType }: NewBinary): Promise<boolean> {
    const { numAffectedRows } = await sql`INSERT INTO binary_data (id, execution_id, file_name, mime_type)
      SELECT ${id}, e.id, ${fileName}, ${mimeType} FROM executions e WHERE e.id = ${executionId} AND e.status = 'running'
      ON CONFLICT (id, execution_id) DO UPDATE SET mime_type = excluded.mime_type`.execute(this.#db);
    return numAffectedRows === 1n;
  }

  /**
   * Marks the upload as complete. Safe to repeat. False: the execution has ended in the meantime,
   * and no execution references the file.
   */
  async complete(id: string, executionId: ExecutionId, size: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('binary_data')
      .set({ size: String(size) })
      .where('id', '=', id)
      .where('execution_id', '=', executionId)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** Marks the upload as failed. */
  async abandon(id: string, executionId: ExecutionId): Promise<void> {
    await this.#db.deleteFrom('binary_data').where('id', '=', id).where('execution_id', '=', executionId).execute();
  }

  /** Bytes that the files of an execution count toward its cap. */
  async countBytes(executionId: ExecutionId): Promise<number> {
    const { bytes } = await this.#db
      .selectFrom('binary_data')
      .select(sql<string>`coalesce(sum(greatest(size, ${leastCountedBytes})), 0)`.as('bytes'))
      .where('execution_id', '=', executionId)
      .executeTakeFirstOrThrow();
    return Number(bytes);
  }

  /**
   * A file that the execution may read, because it or another execution of its project references
   * the file.
   */
  async findReadable(id: string, executionId: ExecutionId): Promise<StoredBinary | undefined> {
    const { rows: files } = await sql<StoredRow>`SELECT b.id, b.file_name, b.mime_type, b.size
      ${readableBy(sql`${executionId}::bigint`)} AND b.id = ${id} LIMIT 1`.execute(this.#db);
    return files[0] && toStored(files[0]);
  }

  /**
   * Throws `NotFoundError`, or `ForbiddenError` if only executions of projects outside `access`
   * reference the file.
   */
  async get(id: string, access: Access): Promise<StoredBinary> {
    const row = await this.#db
      .selectFrom('binary_data as b')
      .innerJoin('executions as e', 'e.id', 'b.execution_id')
      .innerJoin('workflows as w', 'w.id', 'e.workflow_id')
      .select(['b.id', 'b.file_name', 'b.mime_type', 'b.size', isAccessible(access, 'w.project_id').as('accessible')])
      .where('b.id', '=', id)
      .where('b.size', 'is not', null)
      .orderBy('accessible', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!row) throw new NotFoundError(`file ${id} does not exist`);
    if (!row.accessible) throw new ForbiddenError(`file ${id} is not accessible`);
    return toStored(row);
  }

  /**
   * Makes an execution also reference the files of items that another execution passed to it, if
   * that one may read them: `from` its parent at a call, or its sub-executions at their end.
   * Resolves to the ids that the execution now references.
   */
  async adopt(ids: readonly string[], executionId: ExecutionId, from: 'parent' | 'children'): Promise<string[]> {
    if (ids.length === 0) return [];
    const relatives =
      from === 'parent'
        ? sql`SELECT parent_execution_id FROM executions WHERE id = ${executionId}`
        : sql`SELECT id FROM executions WHERE parent_execution_id = ${executionId}`;
    // The rows are locked, so a file whose last execution is being deleted is either taken over or
    // already deleted.
    const { rows: adopted } = await sql<{ id: string }>`WITH readable AS (
        SELECT b.id, b.file_name, b.mime_type, b.size
        ${readableBy(relatives)} AND b.id = ${anyOf(ids)} ORDER BY b.id, b.execution_id FOR KEY SHARE OF b
      ), adopted AS (
        INSERT INTO binary_data (id, execution_id, file_name, mime_type, size)
        SELECT id, ${executionId}::bigint, file_name, mime_type, size FROM readable
        ON CONFLICT DO NOTHING RETURNING id
      )
      SELECT id FROM adopted UNION
      SELECT id FROM binary_data WHERE execution_id = ${executionId} AND id = ${anyOf(ids)}`.execute(this.#db);
    return adopted.map(({ id }) => id);
  }

  /** Deletes some records of incomplete uploads of ended executions. Resolves to their number. */
  async dropUnfinished(limit: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`DELETE FROM binary_data WHERE (id, execution_id) IN (
      SELECT b.id, b.execution_id FROM binary_data b JOIN executions e ON e.id = b.execution_id
      WHERE b.size IS NULL AND e.status IN ('success', 'error', 'canceled', 'crashed')
      LIMIT ${limit} FOR UPDATE OF b SKIP LOCKED)`.execute(this.#db);
    return Number(numAffectedRows);
  }

  /**
   * Claims some due leftovers. They become due again after five to ten minutes unless they are
   * removed.
   */
  async takeLeftovers(limit: number): Promise<BinaryLeftover[]> {
    const { rows: due } = await sql<{ seq: string; binary_id: string; interrupted: boolean; referenced: boolean }>`
      UPDATE binary_leftovers l SET due_at = now() + ${retryAfterMs} * (1 + random()) * interval '1 millisecond'
      WHERE l.seq IN (SELECT seq FROM binary_leftovers WHERE due_at <= now() ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING l.seq, l.binary_id, l.interrupted, EXISTS (SELECT FROM binary_data b WHERE b.id = l.binary_id) AS referenced`.execute(
      this.#db,
    );
    return due.map(({ seq, binary_id, interrupted, referenced }) => ({ seq, binaryId: binary_id, interrupted, referenced }));
  }

  async forgetLeftovers(leftovers: readonly BinaryLeftover[]): Promise<void> {
    const seqs = leftovers.map(({ seq }) => seq);
    await this.#db.deleteFrom('binary_leftovers').where('seq', '=', sql<string>`any(${seqs}::bigint[])`).execute();
  }
}

/** Part of the transaction that creates a retry: it references the files of its original. */
export async function copyBinaries(tx: Kysely<Tables>, from: ExecutionId, to: ExecutionId): Promise<void> {
  await sql`INSERT INTO binary_data (id, execution_id, file_name, mime_type, size)
    SELECT id, ${to}::bigint, file_name, mime_type, size FROM binary_data
    WHERE execution_id = ${from} AND size IS NOT NULL`.execute(tx);
}

const referenceStatement = statement({
  name: 'reference-files',
  parameters: {
    files: rows<ReferencedFile>('f', {
      execution_id: ['bigint', ({ executionId }) => executionId],
      id: ['text', ({ id }) => id],
      file_name: ['text', ({ fileName }) => fileName],
      mime_type: ['text', ({ mimeType }) => mimeType],
      size: ['bigint', ({ size }) => size],
    }),
  },
  text: ({ files }) => `
WITH referenced AS (
  INSERT INTO binary_data (id, execution_id, file_name, mime_type, size)
  SELECT id, execution_id, file_name, mime_type, size FROM ${files}
  RETURNING execution_id, size
), counted AS (
  SELECT execution_id, sum(greatest(size, ${leastCountedBytes})) AS bytes FROM referenced GROUP BY execution_id
)
UPDATE executions e SET stored_bytes = e.stored_bytes + counted.bytes FROM counted WHERE e.id = counted.execution_id`,
});

interface ReferencedFile extends StoredBinary {
  executionId: ExecutionId;
}

/** Part of the transaction that starts executions with uploaded files: each references its own. */
export async function referenceFiles(tx: Kysely<Tables>, files: readonly ReferencedFile[]): Promise<void> {
  if (files.length > 0) await tx.executeQuery(compiled(referenceStatement({ files })));
}

/**
 * Part of the transaction that starts executions: each references the files passed to it that
 * `from` may read. Other ids are skipped.
 */
export async function passBinaries(
  tx: Kysely<Tables>,
  from: ExecutionId,
  passed: readonly { id: string; to: ExecutionId }[],
): Promise<void> {
  if (passed.length === 0) return;
  const [ids, executionIds] = [passed.map(({ id }) => id), passed.map(({ to }) => to)];
  await sql`WITH readable AS (
      SELECT b.id, b.file_name, b.mime_type, b.size
      ${readableBy(sql`${from}::bigint`)} AND b.id = ${anyOf(ids)} ORDER BY b.id, b.execution_id FOR KEY SHARE OF b
    )
    INSERT INTO binary_data (id, execution_id, file_name, mime_type, size)
    SELECT r.id, p.execution_id, r.file_name, r.mime_type, r.size
    FROM readable r JOIN unnest(${ids}::text[], ${executionIds}::bigint[]) AS p (id, execution_id) ON p.id = r.id
    ON CONFLICT DO NOTHING`.execute(tx);
}

interface StoredRow {
  id: string;
  file_name: string | null;
  mime_type: string;
  size: string | null;
}

function toStored({ id, file_name, mime_type, size }: StoredRow): StoredBinary {
  return { id, fileName: file_name, mimeType: mime_type, size: Number(size) };
}

/**
 * Rows `b` of files referenced by executions in the project of one of these; the project is the
 * workflow's current one.
 */
function readableBy(executionIds: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`FROM executions e JOIN workflows w ON w.id = e.workflow_id, binary_data b
      JOIN executions o ON o.id = b.execution_id JOIN workflows v ON v.id = o.workflow_id
    WHERE e.id IN (${executionIds}) AND v.project_id = w.project_id AND b.size IS NOT NULL`;
}
