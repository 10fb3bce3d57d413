import { type Embedding, type Embeddings, isJsonObject, type JsonObject, type JsonValue, ModelError } from '@sluice/node-sdk';
import { attempted } from './attempted.ts';
import { type BedrockAccess, callBedrock, objectIn } from './bedrock-call.ts';

/** Request and response format of a family of models. */
interface Family {
  /** Number of texts in a request. */
  batchSize: number;
  body(texts: readonly string[]): JsonObject;
  vectors(answer: JsonObject): JsonValue | undefined;
  tokens(answer: JsonObject): JsonValue | undefined;
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html */
const titan: Family = {
  batchSize: 1,
  body: ([inputText = '']) => ({ inputText }),
  vectors: ({ embedding }) => (embedding === undefined ? undefined : [embedding]),
  tokens: ({ inputTextTokenCount }) => inputTextTokenCount,
};

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html */
const cohere: Family = {
  batchSize: 96,
  body: (texts) => ({ texts: [...texts], input_type: 'search_document', truncate: 'END' }),
  vectors: ({ embeddings }) => (isJsonObject(embeddings) ? embeddings['float'] : embeddings),
  tokens: () => undefined,
};

/** An Amazon Bedrock embedding model. Each model family has its own format. */
export class BedrockEmbedding implements Embedding {
  readonly provider = 'bedrock';
  readonly modelId: string;
  readonly #access: BedrockAccess;
  readonly #family: Family;

  constructor(access: BedrockAccess) {
    this.modelId = access.modelId;
    this.#access = access;
    this.#family = familyOf(access.modelId);
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<Embeddings> {
    const { batchSize } = this.#family;
    const vectors: (readonly number[])[] = [];
    let tokens = 0;
    for (let at = 0; at < texts.length; at += batchSize) {
      const batch = texts.slice(at, at + batchSize);
      const result = await attempted(this.#access.maxRetries, signal, () => this.#embedSome(batch, signal));
      vectors.push(...result.vectors);
      tokens += result.tokens;
    }
    return { vectors, usage: { inputTokens: tokens, totalTokens: tokens } };
  }

  async #embedSome(texts: readonly string[], signal: AbortSignal) {
    const { body, vectors: vectorsIn, tokens } = this.#family;
    const response = await callBedrock(this.#access, 'invoke', body(texts), signal);
    const answer = await objectIn(await response.text());
    const vectors = vectorsIn(answer);
    if (!areVectors(vectors)) throw new ModelError('invalidResponse', 'the provider response has no vectors');
    if (vectors.length !== texts.length)
      throw new ModelError('invalidResponse', `the provider returned ${vectors.length} vectors for ${texts.length} texts`);
    return { vectors, tokens: Number(tokens(answer) ?? 0) };
  }
}

/** Detected by the model ID, which may have a region prefix or be an ARN. */
function familyOf(modelId: string): Family {
  if (modelId.includes('titan-embed')) return titan;
  if (modelId.includes('cohere.embed')) return cohere;
  throw new ModelError('invalidRequest', `${modelId} is not a Titan or Cohere embedding model`);
}

function areVectors(value: JsonValue | undefined): value is number[][] {
  const isVector = (one: JsonValue) => Array.isArray(one) && one.every((element) => typeof element === 'number');
  return Array.isArray(value) && value.every(isVector);
}
