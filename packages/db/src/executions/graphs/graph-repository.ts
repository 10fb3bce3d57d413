import { webcrypto } from 'node:crypto';
import { priorityOf, stringifyJson, timeoutMsOf, type WorkflowGraph, type WorkflowId, type WorkflowNode } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../tables/tables.ts';
import type { GraphContent } from '../../tables/workflow-tables.ts';
import { StorageQuotaError } from '../storage/storage-quota-repository.ts';
import { errorWorkflowIdOf } from './error-workflow.ts';
import { foreignTypesOf } from './foreign-types.ts';

/** A graph ready to be stored: its text and its hash. */
export interface EncodedGraph {
  hash: string;
  json: string;
  /** Length of the text in bytes. */
  bytes: number;
  timeoutMs: number | null;
  /** Null: the default. */
  priority: number | null;
  /** The error workflow of a failed run, given the workflow that the graph is stored for. */
  errorWorkflowId(workflowId: WorkflowId): WorkflowId | null;
  /** Node types of installed packages that it uses; null if it uses none. */
  foreignTypes: string[] | null;
  /** Credentials that its nodes name; null if they name none. */
  credentialIds: string[] | null;
}

/**
 * Serializes the parts of a workflow that a run depends on; equal content has equal hashes. Because
 * there may be many pinned items, the text is written in time slices and hashed on another thread.
 */
export async function encodeGraph({ name, nodes, connections, settings, pinData }: WorkflowGraph): Promise<EncodedGraph> {
  const content: GraphContent = { name, nodes, connections, ...(settings && { settings }), ...(pinData && { pinData }) };
  const json = await stringifyJson(content);
  const text = Buffer.from(json);
  return {
    hash: Buffer.from(await webcrypto.subtle.digest('SHA-256', text)).toString('base64url'),
    json,
    bytes: text.length,
    timeoutMs: timeoutMsOf(settings),
    priority: priorityOf(settings),
    errorWorkflowId: (workflowId) => errorWorkflowIdOf(workflowId, content),
    foreignTypes: foreignTypesOf(nodes),
    credentialIds: credentialIdsOf(nodes),
  };
}

/** Maximum total bytes of the graphs that were sent with runs of one workflow. */
const maxRunGraphBytes = 1024 * 1024 * 1024;

/** Bytes added to each graph's size for its row; this limits the number of small graphs. */
export const graphRowBytes = 8 * 1024;

/**
 * Quota of a project for its workflows, their versions, and graphs of runs; see
 * `WorkflowQuotaRepository`.
 */
export interface WorkflowQuota {
  isFull(projectId: string): boolean;
  /** Throws `StorageQuotaError`. */
  assertCapacity(projectId: string): void;
}

export const unlimitedQuota: WorkflowQuota = { isFull: () => false, assertCapacity: () => undefined };

/** Content-addressed graphs. Works on the pool or in a transaction. */
export class GraphRepository {
  readonly #db: Kysely<Tables>;
  readonly #quota: WorkflowQuota;

  /** @param quota limits what `storeForRun` stores; default: no limit. */
  constructor(db: Kysely<Tables>, quota: WorkflowQuota = unlimitedQuota) {
    this.#db = db;
    this.#quota = quota;
  }

  /**
   * Stores a graph of a workflow; does nothing if it is stored already. The workflow must exist.
   * The graph is kept for at least 23 hours, even if nothing uses it.
   */
  async store(workflowId: WorkflowId, graph: EncodedGraph): Promise<void> {
    // A conflict with the deletion of an unused graph waits for it, and inserts the graph again.
    await sql`
      INSERT INTO workflow_graphs AS g
        (workflow_id, hash, content, bytes, timeout_ms, priority, error_workflow_id, foreign_types, credential_ids)
      SELECT ${workflowId}, ${graph.hash}, ${graph.json}::json, ${graph.bytes}::integer, ${graph.timeoutMs}::integer,
        ${graph.priority}::smallint, ${graph.errorWorkflowId(workflowId)}, ${graph.foreignTypes}::text[], ${graph.credentialIds}::text[]
      WHERE NOT EXISTS (SELECT FROM workflow_graphs WHERE workflow_id = ${workflowId} AND hash = ${graph.hash}
        AND coalesce(check_at, 'infinity') > now() + interval '23 hours')
      ON CONFLICT (workflow_id, hash) DO UPDATE SET check_at = excluded.check_at WHERE g.check_at < excluded.check_at`.execute(
      this.#db,
    );
  }

  /**
   * Like `store`, for a graph that was sent with a run. Such graphs do not count toward the
   * project's quota of executions, so each workflow has its own limit: throws `StorageQuotaError`
   * beyond 1 GiB, and if the project has reached its quota. Concurrent calls may exceed it.
   */
  async storeForRun(workflowId: WorkflowId, graph: EncodedGraph): Promise<void> {
    // A stored graph needs no further space, so the others are not counted.
    const { rows } = await sql<{ projectId: string; bytes: string }>`
      SELECT project_id AS "projectId", (SELECT coalesce(sum(bytes + ${graphRowBytes}::integer), 0) FROM workflow_graphs g
          WHERE workflow_id = w.id AND check_at IS NOT NULL
            AND NOT EXISTS (SELECT FROM workflow_versions v WHERE v.workflow_id = g.workflow_id AND v.graph_hash = g.hash)) AS bytes
      FROM workflows w WHERE id = ${workflowId}
        AND NOT EXISTS (SELECT FROM workflow_graphs WHERE workflow_id = ${workflowId} AND hash = ${graph.hash})`.execute(
      this.#db,
    );
    for (const { projectId, bytes } of rows) {
      this.#quota.assertCapacity(projectId);
      if (Number(bytes) + graph.bytes <= maxRunGraphBytes) continue;
      throw new StorageQuotaError(
        'the graphs that were sent with runs of this workflow take 1 GiB, the maximum; save the graph as a version, or delete executions',
      );
    }
    await this.store(workflowId, graph);
  }

  /**
   * `undefined`: the workflow has been deleted. Does not check access: the caller read the hash
   * from a row that it had access to.
   */
  async find(workflowId: WorkflowId, hash: string): Promise<GraphContent | undefined> {
    return (await this.findSized(workflowId, hash))?.graph;
  }

  /** Like `find`; `bytes`: length of the JSON text. */
  async findSized(workflowId: WorkflowId, hash: string): Promise<{ graph: GraphContent; bytes: number } | undefined> {
    const row = await this.#db
      .selectFrom('workflow_graphs')
      .select(['content', 'bytes'])
      .where('workflow_id', '=', workflowId)
      .where('hash', '=', hash)
      .executeTakeFirst();
    return row && { graph: row.content, bytes: row.bytes };
  }
}

/** Ids of the credentials that enabled nodes name, sorted; null if they name none. */
function credentialIdsOf(nodes: readonly WorkflowNode[]): string[] | null {
  const named = nodes.filter(({ disabled }) => !disabled).flatMap(({ credentials = {} }) => Object.values(credentials));
  // Postgres cannot store NUL in a string, and credential ids do not contain it.
  const ids = named.flatMap((one) => (one?.id && !one.id.includes('\0') ? [one.id] : []));
  return ids.length > 0 ? [...new Set(ids)].sort() : null;
}
