import {
  type ExecuteContext,
  type Item,
  NodeOperationError,
  type NodeOutput,
  ownProperty,
  type UnsupportedUse,
} from '@sluice/node-sdk';
import { mapItemsAsync, refuseUnsupported, textParameter } from '@sluice/nodes-base/node-tools';
import { analyzeImage } from './analyze-image.ts';
import { speak, transcribe, translate } from './audio.ts';
import { classifyText } from './classify-text.ts';
import { completeChat } from './complete-chat.ts';
import { createResponse } from './create-response.ts';
import { deleteFile, listFiles, uploadFile } from './files.ts';
import { editImages, generateImages } from './make-images.ts';

export const unsupportedUses: readonly UnsupportedUse[] = [
  {
    parameter: 'resource',
    values: ['assistant'],
    what: 'an assistant of OpenAI',
    hint: 'OpenAI has shut down its Assistants API: use "Generate a Model Response", or an AI Agent',
  },
  { parameter: 'resource', values: ['video'], what: 'video of OpenAI', hint: 'Call its API with HTTP Request' },
  {
    parameter: 'resource',
    values: ['conversation'],
    what: 'conversations of OpenAI',
    hint: 'Call their API with HTTP Request',
  },
];

type Operation = (context: ExecuteContext, itemIndex: number) => Promise<Item | Item[]>;

const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  text: { message: completeChat, response: createResponse, classify: classifyText },
  image: { generate: generateImages, analyze: analyzeImage, edit: editImages },
  audio: { generate: speak, transcribe, translate },
  file: { upload: uploadFile, list: listFiles, deleteFile },
};
/** Default operation of a resource. */
const defaults: Readonly<Record<string, string>> = { text: 'message', image: 'generate', audio: 'generate', file: 'upload' };

export async function executeOpenAi(context: ExecuteContext): Promise<NodeOutput> {
  return [await mapItemsAsync(context, (_, itemIndex) => operationOf(context, itemIndex)(context, itemIndex))];
}

function operationOf(context: ExecuteContext, itemIndex: number): Operation {
  refuseUnsupported(context, unsupportedUses, itemIndex);
  const resource = textParameter(context, 'resource', itemIndex, 'text');
  const fallback = resource === 'text' && context.typeVersion >= 2 ? 'response' : (ownProperty(defaults, resource) ?? '');
  const name = textParameter(context, 'operation', itemIndex, fallback);
  const operation = ownProperty(ownProperty(operations, resource) ?? {}, name);
  if (operation) return operation;
  throw new NodeOperationError(`the node has no operation "${name}" of "${resource}"`, {
    itemIndex,
    description: 'Choose the resource and the operation again',
  });
}
