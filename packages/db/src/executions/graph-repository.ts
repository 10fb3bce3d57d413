import { webcrypto } from 'node:crypto';
import { priorityOf, stringifyJson, timeoutMsOf, type WorkflowGraph, type WorkflowId, type WorkflowNode } from '@sluice/domain';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import type { GraphContent } from '../tables/workflow-tables.ts';
import { errorWorkflowIdOf } from './error-start-repository.ts';
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
  /**
   * The error workflow of a failed run, as a function of the workflow that the graph is stored for.
   */
  errorWorkflowId(workflowId: WorkflowId): WorkflowId | null;
  /** Node types of installed packages that it uses; null: none. */
  foreignTypes: string[] | null;
  /** Credentials that its nodes name; null: none. */
  credentialIds: string[] | null;
}

/**
 * Serializes the parts of a workflow that a run depends on; equal content has equal hashes. Pinned
 * items may be many: the text is written in time slices and hashed on another thread.
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

/** Content-addressed graphs. Works on the pool or in a transaction. */
export class GraphRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * Stores a graph of a workflow; does nothing if it is stored already. The workflow must exist.
   */
  async store(workflowId: WorkflowId, graph: EncodedGraph): Promise<void> {
    await this.#db
      .insertInto('workflow_graphs')
      .values({
        workflow_id: workflowId,
        hash: graph.hash,
        content: graph.json,
        bytes: graph.bytes,
        timeout_ms: graph.timeoutMs,
        priority: graph.priority,
        error_workflow_id: graph.errorWorkflowId(workflowId),
        foreign_types: graph.foreignTypes,
        credential_ids: graph.credentialIds,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /**
   * `undefined`: the workflow has been deleted. No access check: a caller that has the hash read it
   * from a row it had access to.
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

/** Those of disabled nodes do not count. */
function credentialIdsOf(nodes: readonly WorkflowNode[]): string[] | null {
  const named = nodes.filter(({ disabled }) => !disabled).flatMap(({ credentials = {} }) => Object.values(credentials));
  // Postgres stores no NUL in a text, and the id of a credential has none.
  const ids = named.flatMap((one) => (one?.id && !one.id.includes('\0') ? [one.id] : []));
  return ids.length > 0 ? [...new Set(ids)].sort() : null;
}
