import { type ExecutionId, type NodeRun, type NodeRunRecord, type RunData, TimeSlice, userKeyed } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { unpackJson, unpackText } from '../codec.ts';
import { parseStored } from '../long-json.ts';
import type { Tables } from '../tables/tables.ts';
import type { ExecutionInput } from './execution.ts';

/**
 * Outputs of an execution's nodes. Reads take an execution id: the caller checks access to the
 * execution first.
 */
export class RunDataRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** All node runs, in the order in which they ended. */
  async listNodeRuns(executionId: ExecutionId): Promise<(NodeRunRecord & { seq: number })[]> {
    return (await this.readNodeRuns(executionId)).records;
  }

  /** `bytes`: length of their JSON. */
  async readNodeRuns(executionId: ExecutionId): Promise<{ records: (NodeRunRecord & { seq: number })[]; bytes: number }> {
    const rows = await this.#db
      .selectFrom('node_runs')
      .select(['seq', 'node_name', 'run_index', 'data'])
      .where('execution_id', '=', executionId)
      .orderBy('seq')
      .execute();
    let bytes = 0;
    const records: (NodeRunRecord & { seq: number })[] = [];
    const slice = new TimeSlice();
    for (const row of rows) {
      const json = await unpackText(row.data);
      bytes += json.length;
      const run = (await parseStored(json.toString('utf8'))) as NodeRun;
      records.push({ seq: row.seq, nodeName: row.node_name, runIndex: row.run_index, run });
      if (slice.isOver) await slice.next();
    }
    return { records, bytes };
  }

  /** The node run that ended last. */
  async findLast(executionId: ExecutionId): Promise<NodeRunRecord | undefined> {
    const row = await this.#db
      .selectFrom('node_runs')
      .select(['node_name', 'run_index', 'data'])
      .where('execution_id', '=', executionId)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!row) return undefined;
    const run = (await parseStored((await unpackText(row.data)).toString('utf8'))) as NodeRun;
    return { nodeName: row.node_name, runIndex: row.run_index, run };
  }

  /** Bytes of the node runs of an execution, as stored: compressed. */
  async storedBytes(executionId: ExecutionId): Promise<number> {
    const row = await this.#db
      .selectFrom('node_runs')
      .select(sql<string>`coalesce(sum(octet_length(data)), 0)`.as('bytes'))
      .where('execution_id', '=', executionId)
      .executeTakeFirstOrThrow();
    return Number(row.bytes);
  }

  /** Input of the execution besides its graph; empty for most. */
  async findInput(executionId: ExecutionId): Promise<ExecutionInput> {
    const row = await this.#db
      .selectFrom('execution_inputs')
      .select('data')
      .where('execution_id', '=', executionId)
      .executeTakeFirst();
    return row ? unpackJson<ExecutionInput>(row.data) : {};
  }
}

/** Node name → runs, and the node whose run ended last. */
export function toRunData(records: readonly NodeRunRecord[]): { runData: RunData; lastNodeExecuted: string | undefined } {
  const runData: RunData = userKeyed();
  for (const { nodeName, runIndex, run } of records) {
    const runs = runData[nodeName] ?? [];
    runs[runIndex] = run;
    runData[nodeName] = runs;
  }
  return { runData, lastNodeExecuted: records.at(-1)?.nodeName };
}
