import {
  type ExecuteContext,
  type FoundDocument,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
} from '@sluice/node-sdk';
import {
  booleanParameter,
  choiceParameter,
  coercedText,
  openPostgresSession,
  textParameter,
} from '@sluice/nodes-base/node-tools';
import { jsonbText } from '../../shared/jsonb-text.ts';
import { quotedTable, sqlStateOf } from '../../shared/quoted-table.ts';
import type { StoreClient, VectorEntry, VectorSearch } from '../../shared/vector-store.ts';

type Session = Awaited<ReturnType<typeof openPostgresSession>>;
type Row = Readonly<Record<string, JsonValue>>;

/** Rows per statement. */
const batchSize = 200;
/** SQLSTATEs if another session created the table, the type, or the extension first. */
const isThere = new Set(['23505', '42710', '42P07']);

/** pgvector distance operators. */
const operators = { cosine: '<=>', innerProduct: '<#>', euclidean: '<->' } as const;
const strategies = Object.keys(operators) as (keyof typeof operators)[];

/** Connects to the table of an item. */
export async function openPgVectors(context: ExecuteContext, itemIndex: number, tableName: string): Promise<StoreClient> {
  const names = namesOf(context, itemIndex);
  const distance = operators[choiceParameter(context, 'options.distanceStrategy', itemIndex, strategies, 'cosine')];
  const session = await openPostgresSession(context, { connectTimeoutMs: 10_000, largeNumbers: 'numbers' });
  const { quoteName } = session.dialect;
  const columns = {
    id: quoteName(names.id),
    vector: quoteName(names.vector),
    content: quoteName(names.content),
    metadata: quoteName(names.metadata),
  };
  return new PgVectors(
    session,
    itemIndex,
    { table: quotedTable(tableName, quoteName), columns, distance },
    names.collection && {
      name: names.collection.name,
      table: quotedTable(names.collection.table, quoteName),
    },
  );
}

function namesOf(context: ExecuteContext, itemIndex: number) {
  const read = (path: string, fallback: string) => textParameter(context, `options.${path}`, itemIndex) || fallback;
  const hasCollection = booleanParameter(context, 'options.collection.values.useCollection', itemIndex, false);
  return {
    id: read('columnNames.values.idColumnName', 'id'),
    vector: read('columnNames.values.vectorColumnName', 'embedding'),
    content: read('columnNames.values.contentColumnName', 'text'),
    metadata: read('columnNames.values.metadataColumnName', 'metadata'),
    collection: hasCollection
      ? {
          name: read('collection.values.collectionName', 'n8n'),
          table: read('collection.values.collectionTable', 'n8n_vector_collections'),
        }
      : undefined,
  };
}

/** Quoted SQL names. */
interface Place {
  table: string;
  columns: Readonly<Record<'id' | 'vector' | 'content' | 'metadata', string>>;
  distance: string;
}

/** A table with vectors, or a collection in it. All values are statement parameters. */
class PgVectors implements StoreClient {
  readonly #session: Session;
  readonly #itemIndex: number;
  readonly #place: Place;
  readonly #collection: { name: string; table: string } | undefined;

  constructor(session: Session, itemIndex: number, place: Place, collection: { name: string; table: string } | undefined) {
    this.#session = session;
    this.#itemIndex = itemIndex;
    this.#place = place;
    this.#collection = collection;
  }

  /** Creates what is missing: the extension, the tables, and the collection. */
  async prepare(): Promise<void> {
    await this.#assertExtension();
    const { table, columns } = this.#place;
    const { id, vector, content, metadata } = columns;
    await this.#create(
      `CREATE TABLE IF NOT EXISTS ${table} (${id} uuid PRIMARY KEY DEFAULT gen_random_uuid(), ${content} text, ${metadata} jsonb, ${vector} vector)`,
    );
    if (!this.#collection) return;
    const { name, table: collections } = this.#collection;
    await this.#create(
      `CREATE TABLE IF NOT EXISTS ${collections} (uuid uuid PRIMARY KEY DEFAULT gen_random_uuid(), name character varying, cmetadata jsonb)`,
    );
    await this.#run(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS collection_id uuid`);
    await this.#run(
      `INSERT INTO ${collections} (name) SELECT $1::text WHERE NOT EXISTS (SELECT FROM ${collections} WHERE name = $1::text)`,
      [name],
    );
  }

  async #assertExtension(): Promise<void> {
    const isInstalled = async () =>
      (await this.#run(`SELECT to_regtype('vector') IS NOT NULL AS known`))[0]?.['known'] === true;
    if (await isInstalled()) return;
    await this.#create('CREATE EXTENSION IF NOT EXISTS vector').catch((cause: unknown) => {
      throw new NodeOperationError('the database has no extension "vector"', {
        itemIndex: this.#itemIndex,
        description: 'Install pgvector on the server, and let an administrator run: CREATE EXTENSION vector',
        cause,
      });
    });
  }

  async insert(entries: readonly VectorEntry[]): Promise<void> {
    const { table, columns } = this.#place;
    const { id, vector, content, metadata } = columns;
    const { column, value } = this.#ofCollection('$2');
    for (let at = 0; at < entries.length; at += batchSize) {
      const rows = entries.slice(at, at + batchSize).map((entry) => ({
        id: entry.id,
        text: entry.text,
        metadata: entry.metadata,
        vector: `[${entry.vector.join()}]`,
      }));
      await this.#run(
        `INSERT INTO ${table} (${id}, ${content}, ${metadata}, ${vector}${column})
         SELECT (row->>'id')::uuid, row->>'text', row->'metadata', (row->>'vector')::vector${value}
         FROM jsonb_array_elements($1::jsonb) AS row`,
        [jsonbText(rows), ...this.#collectionName()],
      );
    }
  }

  /** The score is a distance: the nearest document has the smallest one. */
  async search({ vector: nearTo, topK, filter }: VectorSearch): Promise<FoundDocument[]> {
    const { table, columns, distance } = this.#place;
    const { vector, content, metadata } = columns;
    const { value } = this.#ofCollection('$4');
    const rows = await this.#run(
      `SELECT ${content} AS content, ${metadata} AS metadata, ${vector} ${distance} $1::vector AS distance FROM ${table}
       WHERE coalesce(${metadata}, '{}')::jsonb @> $2::jsonb${value === '' ? '' : ` AND collection_id = ${value.slice(2)}`}
       ORDER BY distance LIMIT $3`,
      [`[${nearTo.join()}]`, jsonbText(filter), topK, ...this.#collectionName()],
    );
    return rows.map((row) => ({
      text: coercedText(row['content']),
      metadata: isJsonObject(row['metadata']) ? row['metadata'] : {},
      score: Number(row['distance']),
    }));
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  /**
   * Column and value that a statement has for the collection; the placeholder stands for its name.
   */
  #ofCollection(placeholder: string): { column: string; value: string } {
    if (!this.#collection) return { column: '', value: '' };
    const { table } = this.#collection;
    const value = `(SELECT uuid FROM ${table} WHERE name = ${placeholder}::text ORDER BY uuid LIMIT 1)`;
    return { column: ', collection_id', value: `, ${value}` };
  }

  #collectionName(): string[] {
    return this.#collection ? [this.#collection.name] : [];
  }

  async #create(statement: string): Promise<void> {
    try {
      await this.#run(statement);
    } catch (error) {
      if (!isThere.has(sqlStateOf(error))) throw error;
    }
  }

  async #run(text: string, values: JsonValue[] = []): Promise<readonly Row[]> {
    const [result] = await this.#session.run({ text, values });
    return (result?.rows ?? []) as readonly JsonObject[];
  }
}
