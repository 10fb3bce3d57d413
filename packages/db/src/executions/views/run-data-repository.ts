import { type ExecutionId, JsonText, type NodeRun, type NodeRunRecord, TimeSlice, userKeyed } from '@sluice/domain';
import { type InferResult, type Kysely, sql } from 'kysely';
import type { Database, PreparedStatement } from '../../connection/database.ts';
import { packedHeadLength, unpackedLength, unpackJson, unpackText } from '../../json/codec.ts';
import { parseStored } from '../../json/long-json.ts';
import { constantSql } from '../../statements/compiled.ts';
import { selectByKey } from '../../statements/statement.ts';
import type { Tables } from '../../tables/tables.ts';
import type { ExecutionInput } from '../row/execution.ts';

/** A node run for a response: parsed, or its JSON as stored. */
export type ShownRun = NodeRun | JsonText;

interface ReadRuns<Run> {
  records: (NodeRunRecord<Run> & { seq: number })[];
  /** Length of their JSON. */
  bytes: number;
  /** Length of the longest. */
  largest: number;
}

/** Waits until there is memory for this many bytes of JSON, which are about to be read. */
export type ReserveMemory = (bytes: number) => void | Promise<void>;

/** Stored bytes of all node runs that one statement reads with their sizes. */
const maxAtOnce = 64 * 1024;

/** Members of a run that a response also shows elsewhere. */
const shownMembers = ['"error"', '"customData"', '"truncated"'];

/**
 * Outputs of an execution's nodes. Reads take an execution id: the caller checks access to the
 * execution first.
 */
export class RunDataRepository {
  readonly #db: Kysely<Tables>;
  readonly #query: Database['query'];
  readonly #sized: (executionId: ExecutionId) => PreparedStatement;

  constructor({ kysely, query }: Pick<Database, 'kysely' | 'query'>) {
    this.#db = kysely;
    this.#query = query;
    this.#sized = selectByKey('sized-node-runs', selectSized(kysely));
  }

  /** All node runs, in order of completion. */
  async listNodeRuns(executionId: ExecutionId): Promise<(NodeRunRecord & { seq: number })[]> {
    return (await this.readNodeRuns(executionId)).records;
  }

  readNodeRuns(executionId: ExecutionId, reserve?: ReserveMemory): Promise<ReadRuns<NodeRun>> {
    return this.#read(executionId, parseRun, reserve);
  }

  /**
   * Like `readNodeRuns`, for a response. Only runs with members that the response also shows
   * elsewhere (`shownMembers`) are parsed; the others remain text, because parsing and serializing
   * them would take most of the time of a large response.
   */
  readShownRuns(executionId: ExecutionId, reserve?: ReserveMemory): Promise<ReadRuns<ShownRun>> {
    const runOf = (json: string) => (shownMembers.some((name) => json.includes(name)) ? parseRun(json) : new JsonText(json));
    return this.#read<ShownRun>(executionId, runOf, reserve);
  }

  async #read<Run>(
    executionId: ExecutionId,
    runOf: (json: string) => Run | Promise<Run>,
    reserve: ReserveMemory | undefined,
  ): Promise<ReadRuns<Run>> {
    const rows = await this.#readRows(executionId, reserve);
    let [bytes, largest] = [0, 0];
    const records: ReadRuns<Run>['records'] = [];
    const slice = new TimeSlice();
    for (const row of rows) {
      const json = await unpackText(row.data);
      bytes += json.length;
      largest = Math.max(largest, json.length);
      records.push({ seq: row.seq, nodeName: row.node_name, runIndex: row.run_index, run: await runOf(json.toString('utf8')) });
      if (slice.isOver) await slice.next();
    }
    return { records, bytes, largest };
  }

  /** Large data is read after its sizes, for which memory is reserved. */
  async #readRows(executionId: ExecutionId, reserve: ReserveMemory | undefined) {
    const all = () => selectRuns(this.#db).select('data').where('execution_id', '=', executionId).execute();
    if (!reserve) return all();
    const rows = await this.#query<SizedRun>(this.#sized(executionId));
    await reserve(rows.reduce((sum, { data, length }) => sum + unpackedLength(data, length), 0));
    return rows[0]?.is_small === false ? all() : rows;
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
    const run = await parseRun((await unpackText(row.data)).toString('utf8'));
    return { nodeName: row.node_name, runIndex: row.run_index, run };
  }

  /** Stored (compressed) bytes of an execution's node runs. */
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

function selectRuns(db: Kysely<Tables>) {
  return db.selectFrom('node_runs').select(['seq', 'node_name', 'run_index']).orderBy('seq');
}

/** `data`: only its start, unless all runs of the execution together are small. */
function selectSized(db: Kysely<Tables>) {
  const isSmall = sql<boolean>`${constantSql(`sum(octet_length(data)) OVER () <= ${maxAtOnce}`)}`;
  const head = constantSql(`substring(data FROM 1 FOR ${packedHeadLength})`);
  return selectRuns(db)
    .select([
      isSmall.as('is_small'),
      sql<number>`octet_length(data)`.as('length'),
      sql<Buffer>`CASE WHEN ${isSmall} THEN data ELSE ${head} END`.as('data'),
    ])
    .where('execution_id', '=', '');
}

type SizedRun = InferResult<ReturnType<typeof selectSized>>[number];

async function parseRun(json: string): Promise<NodeRun> {
  return (await parseStored(json)) as NodeRun;
}

/** Node name → runs, and the node whose run ended last. */
export function toRunData<Run>(records: readonly NodeRunRecord<Run>[]): {
  runData: Record<string, Run[]>;
  lastNodeExecuted: string | undefined;
} {
  const runData: Record<string, Run[]> = userKeyed();
  for (const { nodeName, runIndex, run } of records) {
    const runs = runData[nodeName] ?? [];
    runs[runIndex] = run;
    runData[nodeName] = runs;
  }
  return { runData, lastNodeExecuted: records.at(-1)?.nodeName };
}
