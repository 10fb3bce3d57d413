import type { EmbeddingModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { Embedding, Embeddings } from '@sluice/node-sdk';
import { ModelError } from '@sluice/node-sdk';
import { attempted } from './attempted.ts';
import type { KeptVectors } from './kept-vectors.ts';

export interface EmbeddingSettings {
  /** Maximum number of texts in one request; the provider's limit also applies. */
  batchSize?: number;
  /** Line breaks become spaces, which helps older models. */
  stripNewLines?: boolean;
  maxRetries: number;
  providerOptions?: SharedV4ProviderOptions;
}

/** Adapts an embedding model of an AI SDK provider. */
export class SdkEmbedding implements Embedding {
  readonly provider: string;
  readonly modelId: string;
  readonly #model: EmbeddingModelV4;
  readonly #kept: KeptVectors;
  readonly #settings: EmbeddingSettings;

  /** @param keptVectors took the vectors out of the answers that the model reads. */
  constructor(model: EmbeddingModelV4, keptVectors: KeptVectors, settings: EmbeddingSettings) {
    this.provider = model.provider;
    this.modelId = model.modelId;
    this.#model = model;
    this.#kept = keptVectors;
    this.#settings = settings;
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<Embeddings> {
    const { batchSize = 512, stripNewLines = false } = this.#settings;
    const size = Math.max(1, Math.min(batchSize, (await this.#model.maxEmbeddingsPerCall) ?? batchSize));
    const values = stripNewLines ? texts.map((text) => text.replaceAll('\n', ' ')) : [...texts];
    const vectors: number[][] = [];
    let tokens = 0;
    for (let at = 0; at < values.length; at += size) {
      const result = await this.#embedSome(values.slice(at, at + size), signal);
      vectors.push(...result.embeddings);
      tokens += result.usage?.tokens ?? 0;
    }
    return { vectors, usage: { inputTokens: tokens, totalTokens: tokens } };
  }

  #embedSome(values: string[], abortSignal: AbortSignal) {
    const { maxRetries, providerOptions } = this.#settings;
    return attempted(maxRetries, abortSignal, async () => {
      const result = await this.#model.doEmbed({ values, abortSignal, ...(providerOptions && { providerOptions }) });
      const embeddings = this.#kept.vectorsOf(result.embeddings);
      if (embeddings.length === values.length) return { ...result, embeddings };
      const message = `the provider returned ${result.embeddings.length} vectors for ${values.length} texts`;
      throw new ModelError('invalidResponse', message);
    });
  }
}
