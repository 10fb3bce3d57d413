import { type ExecuteContext, type FoundDocument, isJsonObject, type JsonObject } from '@sluice/node-sdk';
import { documentToJson, requiredText, textParameter } from '@sluice/nodes-base/node-tools';
import { modelIdOf } from '../../shared/model-list.ts';
import { type MongoCollection, type MongoSession, openMongoSession } from '../../shared/mongo-session.ts';
import type { StoreClient, VectorEntry, VectorSearch } from '../../shared/vector-store.ts';

/** Documents per command: the library serializes them at once. */
const batchSize = 50;

interface Names {
  index: string;
  text: string;
  vector: string;
}

/** Connects to the collection of an item. */
export async function openMongoVectors(context: ExecuteContext, itemIndex: number): Promise<StoreClient> {
  const collection = modelIdOf(context, itemIndex, 'mongoCollection', '', 'collection');
  const names = {
    index: requiredText(context, 'vectorIndexName', itemIndex),
    text: textParameter(context, 'metadata_field', itemIndex) || 'text',
    vector: textParameter(context, 'embedding', itemIndex) || 'embedding',
  };
  const session = await openMongoSession(context);
  const { client, database } = session.open;
  return new MongoVectors(session, client.db(database).collection(collection), names, itemIndex);
}

/** Documents as LangChain stores them: the text, the vector, and each metadata value are fields. */
class MongoVectors implements StoreClient {
  readonly #session: MongoSession;
  readonly #collection: MongoCollection;
  readonly #names: Names;
  readonly #itemIndex: number;

  constructor(session: MongoSession, collection: MongoCollection, names: Names, itemIndex: number) {
    this.#session = session;
    this.#collection = collection;
    this.#names = names;
    this.#itemIndex = itemIndex;
  }

  async insert(entries: readonly VectorEntry[]): Promise<void> {
    const { text: textName, vector: vectorName } = this.#names;
    for (let at = 0; at < entries.length; at += batchSize) {
      const documents = entries
        .slice(at, at + batchSize)
        .map(({ metadata, text, vector }) => ({ ...metadata, [textName]: text, [vectorName]: [...vector] }));
      await this.#session.run(this.#collection.insertMany(documents));
    }
  }

  search({ vector, topK, filter }: VectorSearch): Promise<FoundDocument[]> {
    const { index, vector: path } = this.#names;
    const conditions = Object.entries(filter).map(([name, value]) => ({ [name]: { $eq: value } }));
    const search = {
      index,
      path,
      queryVector: [...vector],
      limit: topK,
      numCandidates: Math.min(10 * topK, 10_000),
      ...(conditions.length > 0 && { filter: { $and: conditions } }),
    };
    const pipeline = [
      { $vectorSearch: search },
      { $project: { _id: 0, document: '$$ROOT', score: { $meta: 'vectorSearchScore' } } },
      { $unset: `document.${path}` },
    ];
    return this.#session.run(this.#read(pipeline));
  }

  async #read(pipeline: object[]): Promise<FoundDocument[]> {
    const documents: FoundDocument[] = [];
    for await (const bytes of this.#collection.aggregate(pipeline as never, { raw: true })) {
      const { document, score } = await documentToJson(bytes as unknown as Buffer, this.#session.open.bson, this.#itemIndex);
      documents.push(this.#toDocument(document !== undefined && isJsonObject(document) ? document : {}, Number(score)));
    }
    return documents;
  }

  #toDocument(stored: JsonObject, score: number): FoundDocument {
    const { [this.#names.text]: text = '', ...metadata } = stored;
    return { text: typeof text === 'string' ? text : JSON.stringify(text), metadata, score };
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
