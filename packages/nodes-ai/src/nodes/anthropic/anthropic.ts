import {
  type ExecuteContext,
  type Item,
  NodeOperationError,
  type NodeProperty,
  type NodeType,
  ownProperty,
  type UnsupportedUse,
} from '@sluice/node-sdk';
import {
  choice,
  choices,
  list,
  mapItemsAsync,
  number,
  options,
  refuseUnsupported,
  stringOf,
  text,
  textParameter,
  toggle,
  where,
} from '@sluice/nodes-base/node-tools';
import { modelMethods, modelProperty } from '../../shared/model-list.ts';
import { anthropicAddress, anthropicCredential } from './call-anthropic.ts';
import { deleteFile, getFile, listFiles, uploadFile } from './files.ts';
import { analyzed, messageAnthropic } from './message-anthropic.ts';

const unsupportedUses: readonly UnsupportedUse[] = [
  {
    parameter: 'resource',
    values: ['prompt'],
    what: 'prompt tools of Anthropic',
    hint: 'Its API for them is closed: ask a model to write the prompt',
  },
];

type Operation = (context: ExecuteContext, itemIndex: number) => Promise<Item | Item[]>;

const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  text: { message: messageAnthropic },
  image: { analyze: analyzed('image') },
  document: { analyze: analyzed('document') },
  file: { upload: uploadFile, get: getFile, list: listFiles, deleteFile },
};

const of = (resource: string, ...operation: string[]) => where({ resource: [resource], operation });
const operation = (resource: string, values: ReturnType<typeof choices>) =>
  choice('operation', 'Operation', values, where({ resource: [resource] }));
const maxTokens = number('maxTokens', 'Maximum Number of Tokens', 1_024, 'Most tokens of the answer');
const field = (more: Partial<NodeProperty>) =>
  text('binaryPropertyName', 'Input Data Field Name(s)', 'Properties of the item with the files, separated by commas', {
    default: 'data',
    ...more,
  });
const sources = choices(['url', 'URL(s)'], ['binary', 'Binary File(s)']);

const properties: NodeProperty[] = [
  choice(
    'resource',
    'Resource',
    choices(
      ['text', 'Text'],
      ['image', 'Image'],
      ['document', 'Document'],
      ['file', 'File'],
      ['prompt', 'Prompt', 'Not supported'],
    ),
  ),
  operation('text', choices(['message', 'Message a Model'])),
  operation('image', choices(['analyze', 'Analyze Image'])),
  operation('document', choices(['analyze', 'Analyze Document'])),
  operation(
    'file',
    choices(['upload', 'Upload File'], ['get', 'Get File Metadata'], ['list', 'List Files'], ['deleteFile', 'Delete File']),
  ),
  modelProperty('modelId', '', where({ resource: ['text', 'image', 'document'] })),
  list(
    'messages',
    'Messages',
    'values',
    [
      text('content', 'Prompt', 'The text of the message'),
      choice('role', 'Role', choices(['user', 'User'], ['assistant', 'Assistant'])),
    ],
    of('text', 'message'),
  ),
  toggle('addAttachments', 'Add Attachments', 'Whether the last message of the user has files', of('text', 'message')),
  choice('attachmentsInputType', 'Attachments Input Type', sources, where({ resource: ['text'], addAttachments: [true] })),
  text('attachmentsUrls', 'Attachment URL(s)', 'Addresses that Anthropic reads, separated by commas', {
    acceptsList: true,
    ...where({ resource: ['text'], addAttachments: [true], attachmentsInputType: ['url'] }),
  }),
  field(where({ resource: ['text'], addAttachments: [true], attachmentsInputType: ['binary'] })),
  ...['image', 'document'].flatMap((kind) => [
    text('text', 'Text Input', 'A question about the files', { default: `What's in this ${kind}?`, ...of(kind, 'analyze') }),
    choice('inputType', 'Input Type', sources, of(kind, 'analyze')),
    text(`${kind}Urls`, 'URL(s)', 'Addresses that Anthropic reads, separated by commas', {
      acceptsList: true,
      ...where({ resource: [kind], operation: ['analyze'], inputType: ['url'] }),
    }),
    field(where({ resource: [kind], operation: ['analyze'], inputType: ['binary'] })),
  ]),
  toggle('simplify', 'Simplify Output', 'Whether to output the content without the data about the answer', {
    default: true,
    ...where({ resource: ['text', 'image', 'document'] }),
  }),
  options(
    [
      toggle(
        'includeMergedResponse',
        'Include Merged Response',
        'Whether to output the text of all parts, as `merged_response`',
      ),
      text('system', 'System Message', 'Instructions for the model'),
      toggle('codeExecution', 'Code Execution', 'Whether the model may run code at Anthropic'),
      toggle('webSearch', 'Web Search', 'Whether the model may search the web'),
      number('maxUses', 'Web Search Max Uses', 5, 'Most searches of one answer'),
      text('allowedDomains', 'Web Search Allowed Domains', 'Domains that are searched, separated by commas', {
        acceptsList: true,
      }),
      text('blockedDomains', 'Web Search Blocked Domains', 'Domains that are not searched, separated by commas', {
        acceptsList: true,
      }),
      maxTokens,
      number('temperature', 'Output Randomness (Temperature)', 1, 'Randomness of the answer; 0: least'),
      number('topP', 'Output Randomness (Top P)', 0.7, 'Share of likely tokens that are considered'),
      number('topK', 'Output Randomness (Top K)', 5, 'Number of likely tokens that are considered'),
      number('maxToolsIterations', 'Max Tool Calls Iterations', 15, 'Most rounds of tools; 0: 1,000'),
    ],
    of('text', 'message'),
  ),
  options([maxTokens], where({ resource: ['image', 'document'] })),
  field(of('file', 'upload')),
  options([text('fileName', 'File Name', 'Name of the file at Anthropic')], of('file', 'upload')),
  text('fileId', 'File', 'ID of the file', { acceptsAnyValue: true, ...of('file', 'get', 'deleteFile') }),
  toggle('returnAll', 'Return All', 'Whether to list all files', of('file', 'list')),
  number('limit', 'Limit', 50, 'Most files', where({ resource: ['file'], operation: ['list'], returnAll: [false] })),
];

/** Anthropic text, images, documents, and files. */
export const anthropic: NodeType = {
  description: {
    displayName: 'Anthropic',
    name: 'anthropic',
    group: ['transform'],
    version: [1],
    description: 'Asks an Anthropic model, which can use tools, and analyzes images and documents',
    defaults: { name: 'Anthropic' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    subNodes: [{ type: 'ai_tool', displayName: 'Tools', displayOptions: { show: { resource: ['text'] } } }],
    credentials: [{ name: anthropicCredential, required: true }],
    properties,
    icon: 'fa:comment',
  },
  unsupported: unsupportedUses,
  methods: modelMethods({
    credential: anthropicCredential,
    url: (data) => `${anthropicAddress(data)}/models?limit=1000`,
    option: ({ id, display_name: name }) => (typeof id === 'string' ? { name: stringOf(name ?? id), value: id } : undefined),
  }),
  execute: async (context) => [
    await mapItemsAsync(context, (_, itemIndex) => operationOf(context, itemIndex)(context, itemIndex)),
  ],
};

function operationOf(context: ExecuteContext, itemIndex: number): Operation {
  refuseUnsupported(context, unsupportedUses, itemIndex);
  const resource = textParameter(context, 'resource', itemIndex, 'text');
  const resourceOperations = ownProperty(operations, resource) ?? {};
  const name = textParameter(context, 'operation', itemIndex, Object.keys(resourceOperations)[0] ?? '');
  const match = ownProperty(resourceOperations, name);
  if (match) return match;
  throw new NodeOperationError(`the node has no operation "${name}" of "${resource}"`, {
    itemIndex,
    description: 'Choose the resource and the operation again',
  });
}
