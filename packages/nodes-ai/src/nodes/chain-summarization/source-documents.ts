import { type ExecuteContext, NodeOperationError, type TextDocument } from '@sluice/node-sdk';
import { choiceParameter, numberParameter, textParameter } from '@sluice/nodes-base/node-tools';
import { splitBySeparators } from '../../shared/split-documents.ts';
import { checkedSizes } from '../../shared/split-text.ts';
import { documentsOfFile } from '../document-default-data-loader/file-documents.ts';
import { valueDocuments } from '../document-default-data-loader/value-documents.ts';
import { separatorsOf } from '../text-splitter-recursive-character-text-splitter/separators.ts';

const modes = ['nodeInputJson', 'nodeInputBinary', 'documentLoader'] as const;

/** The text of an item, a file, or a loader, in chunks. */
export async function sourceDocuments(context: ExecuteContext, itemIndex: number): Promise<readonly TextDocument[]> {
  const mode =
    context.typeVersion < 2 ? 'documentLoader' : choiceParameter(context, 'operationMode', itemIndex, modes, 'nodeInputJson');
  if (mode === 'documentLoader') return loadedDocuments(context, itemIndex);
  const property = textParameter(context, 'options.binaryDataKey', itemIndex, 'data') || 'data';
  const isFile = mode === 'nodeInputBinary';
  const documents = isFile
    ? await documentsOfFile(context, itemIndex, property)
    : await valueDocuments(context.items()[itemIndex]?.json ?? {}, context.signal);
  return inChunks(context, itemIndex, documents);
}

async function loadedDocuments(context: ExecuteContext, itemIndex: number): Promise<readonly TextDocument[]> {
  const [loader] = await context.connected('ai_document', itemIndex);
  if (loader) return loader.value.load({}, context.signal);
  throw new NodeOperationError('no document loader is connected', {
    itemIndex,
    description: 'Connect one, or choose other data in "Data to Summarize"',
  });
}

async function inChunks(
  context: ExecuteContext,
  itemIndex: number,
  documents: readonly TextDocument[],
): Promise<readonly TextDocument[]> {
  const { signal } = context;
  if (choiceParameter(context, 'chunkingMode', itemIndex, ['simple', 'advanced'], 'simple') === 'simple') {
    const sizes = checkedSizes(
      numberParameter(context, 'chunkSize', itemIndex, 1_000),
      numberParameter(context, 'chunkOverlap', itemIndex, 200),
      itemIndex,
    );
    const options = { ...sizes, keepsSeparator: true, separators: separatorsOf('', itemIndex) };
    return splitBySeparators(documents, options, { context, itemIndex, signal });
  }
  const [splitter] = await context.connected('ai_textSplitter', itemIndex);
  // Published workflows choose a splitter and connect none: their texts stay whole.
  return splitter ? splitter.value.split(documents, signal) : documents;
}
