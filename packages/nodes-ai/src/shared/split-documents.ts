import { type ExecuteContext, errorMessage, NodeOperationError, type TextDocument, TimeSlice } from '@sluice/node-sdk';
import { runUnlessSmall, type TaskOptions, taskModule } from '@sluice/nodes-base/node-tools';
import { task } from './chunk-text-task.ts';
import { type Chunk, maxChunks, type SplitOptions, tooMany } from './split-text.ts';

const chunkText = { module: taskModule('chunk-text-task', import.meta.url), task };

/** The run of a splitter. */
export interface Splitting {
  context: Pick<ExecuteContext, 'workflow'>;
  itemIndex: number;
  signal: AbortSignal;
}

/** Splits documents at separators. */
export function splitBySeparators(
  documents: readonly TextDocument[],
  options: SplitOptions,
  splitting: Splitting,
): Promise<TextDocument[]> {
  return splitDocuments(documents, splitting, (text, task) => runUnlessSmall(chunkText, { text, ...options }, task));
}

/** The documents in chunks; `metadata.loc.lines` contains the lines of a chunk in its document. */
export async function splitDocuments(
  documents: readonly TextDocument[],
  { context, itemIndex, signal }: Splitting,
  split: (text: string, task: TaskOptions) => Promise<readonly Chunk[]>,
): Promise<TextDocument[]> {
  const chunks: TextDocument[] = [];
  const slice = new TimeSlice();
  try {
    for (const { text, metadata } of documents) {
      if (slice.isOver) await slice.next();
      const pieces = await split(text, { owner: context.workflow, signal, size: text.length });
      if (chunks.length + pieces.length > maxChunks) throw tooMany();
      for (const { text: chunk, from, to } of pieces)
        chunks.push({ text: chunk, metadata: { ...metadata, loc: { lines: { from, to } } } });
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new NodeOperationError(`the text cannot be split: ${errorMessage(error)}`, {
      itemIndex,
      description: 'Increase "Chunk Size", or split less text at a time',
    });
  }
  return chunks;
}
