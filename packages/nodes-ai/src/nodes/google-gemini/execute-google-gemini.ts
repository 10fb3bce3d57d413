import {
  type ExecuteContext,
  type Item,
  NodeOperationError,
  type NodeOutput,
  ownProperty,
  type UnsupportedUse,
} from '@sluice/node-sdk';
import { mapItemsAsync, refuseUnsupported, textParameter } from '@sluice/nodes-base/node-tools';
import { analyzed, transcribed, uploadedFile } from './analyze-media.ts';
import { editGeminiImages, generateGeminiImages } from './make-images.ts';
import { downloadVideo, generateVideos } from './make-videos.ts';
import { messageGemini } from './message-gemini.ts';

export const unsupportedUses: readonly UnsupportedUse[] = [
  { parameter: 'resource', values: ['fileSearch'], what: 'File Search of Gemini', hint: 'Call its API with HTTP Request' },
];

type Operation = (context: ExecuteContext, itemIndex: number) => Promise<Item | Item[]>;

const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  text: { message: messageGemini },
  image: { generate: generateGeminiImages, analyze: analyzed('image'), edit: editGeminiImages },
  audio: { transcribe: transcribed, analyze: analyzed('audio') },
  document: { analyze: analyzed('document') },
  video: { generate: generateVideos, analyze: analyzed('video'), download: downloadVideo },
  file: { upload: uploadedFile },
};
/** Default operation of a resource. */
const defaults: Readonly<Record<string, string>> = {
  text: 'message',
  image: 'generate',
  audio: 'transcribe',
  document: 'analyze',
  video: 'generate',
  file: 'upload',
};

export async function executeGoogleGemini(context: ExecuteContext): Promise<NodeOutput> {
  return [await mapItemsAsync(context, (_, itemIndex) => operationOf(context, itemIndex)(context, itemIndex))];
}

function operationOf(context: ExecuteContext, itemIndex: number): Operation {
  refuseUnsupported(context, unsupportedUses, itemIndex);
  const resource = textParameter(context, 'resource', itemIndex, 'text');
  const name = textParameter(context, 'operation', itemIndex, ownProperty(defaults, resource) ?? '');
  const operation = ownProperty(ownProperty(operations, resource) ?? {}, name);
  if (operation) return operation;
  throw new NodeOperationError(`the operation "${name}" of "${resource}" is not supported yet`, {
    itemIndex,
    description: 'Choose another operation, or call the API with HTTP Request',
  });
}
