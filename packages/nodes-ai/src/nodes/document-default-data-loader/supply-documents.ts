import {
  type DocumentLoader,
  type ExecuteContext,
  type JsonObject,
  type JsonValue,
  mapSliced,
  NodeOperationError,
  type TextDocument,
} from '@sluice/node-sdk';
import { choiceParameter, coercedText, listParameter, textParameter } from '@sluice/nodes-base/node-tools';
import { splitBySeparators } from '../../shared/split-documents.ts';
import { separatorsOf } from '../text-splitter-recursive-character-text-splitter/separators.ts';
import { fileDocuments } from './file-documents.ts';
import { valueDocuments } from './value-documents.ts';

const simple = { chunkSize: 1_000, chunkOverlap: 200, keepsSeparator: true };

/** The documents of one item. */
export function supplyDocuments(context: ExecuteContext, itemIndex: number): DocumentLoader {
  return {
    load: async (_, signal) => {
      const documents = await documentsOf(context, itemIndex);
      const metadata = metadataOf(context, itemIndex);
      const complete = await mapSliced(documents, (document) => ({
        ...document,
        metadata: { ...document.metadata, ...metadata },
      }));
      return split(context, itemIndex, complete, signal);
    },
  };
}

function documentsOf(context: ExecuteContext, itemIndex: number): Promise<TextDocument[]> {
  if (choiceParameter(context, 'dataType', itemIndex, ['json', 'binary'], 'json') === 'binary')
    return fileDocuments(context, itemIndex);
  const mode = choiceParameter(context, 'jsonMode', itemIndex, ['allInputData', 'expressionData'], 'allInputData');
  const all = mode === 'allInputData';
  const value = all ? (context.items()[itemIndex]?.json ?? {}) : (context.parameter<JsonValue>('jsonData', itemIndex) ?? '');
  return valueDocuments(value, context.signal);
}

function metadataOf(context: ExecuteContext, itemIndex: number): JsonObject {
  const values = listParameter(context, 'options.metadata.metadataValues', itemIndex);
  return Object.fromEntries(values.map(({ name, value }) => [coercedText(name), value ?? '']));
}

async function split(
  context: ExecuteContext,
  itemIndex: number,
  documents: TextDocument[],
  signal: AbortSignal,
): Promise<readonly TextDocument[]> {
  const isCustom = context.typeVersion < 1.1 || textParameter(context, 'textSplittingMode', itemIndex, 'simple') === 'custom';
  if (!isCustom)
    return splitBySeparators(documents, { ...simple, separators: separatorsOf('', itemIndex) }, { context, itemIndex, signal });
  const [splitter] = await context.connected('ai_textSplitter', itemIndex);
  if (splitter) return splitter.value.split(documents, signal);
  if (context.typeVersion < 1.1) return documents;
  throw new NodeOperationError('no text splitter is connected', {
    itemIndex,
    description: 'Connect one, or set "Text Splitting" to "Simple"',
  });
}
