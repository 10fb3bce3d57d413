import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, number, options, text, toggle, when, where } from '@sluice/nodes-base/node-tools';
import { modelProperty } from '../../shared/model-list.ts';

const first = [{ _cnd: { lt: 2 } }];
const second = [{ _cnd: { gte: 2 } }];
const of = (resource: string, ...operation: string[]) => where({ resource: [resource], operation });
const roles = choices(['user', 'User'], ['system', 'System'], ['assistant', 'Assistant']);
const fileField = (more: Partial<NodeProperty>) =>
  text('binaryPropertyName', 'Input Data Field Name', 'Property of the item with the file', { default: 'data', ...more });
const outputField = text('binaryPropertyOutput', 'Put Output in Field', 'Property of the item that gets the file', {
  default: 'data',
});
const size = text('size', 'Size', 'As the model names it: `1024x1024`, `1536x1024`, `1024x1792`, `auto`');
const temperature = number('temperature', 'Output Randomness (Temperature)', 1, 'Randomness of the answer; 0: least');
const topP = number('topP', 'Output Randomness (Top P)', 1, 'Share of likely tokens that are considered');
const maxTokens = number('maxTokens', 'Maximum Number of Tokens', 16, 'Most tokens of the answer');
const maxToolsIterations = number('maxToolsIterations', 'Max Tool Calls Iterations', 15, 'Most rounds of tools; 0: 1,000');
const count = number('n', 'Number of Images', 1, 'How many images to make');
const quality = text('quality', 'Quality', 'As the model names it: `low`, `medium`, `high`, `standard`, `hd`');

const textOperations = choices(
  ['message', 'Message a Model', 'Chat Completions'],
  ['response', 'Generate a Model Response', 'Responses API'],
  ['classify', 'Classify Text for Violations'],
);

const resource: NodeProperty[] = [
  choice(
    'resource',
    'Resource',
    choices(
      ['text', 'Text'],
      ['image', 'Image'],
      ['audio', 'Audio'],
      ['file', 'File'],
      ['assistant', 'Assistant', 'Not supported'],
      ['conversation', 'Conversation', 'Not supported'],
      ['video', 'Video', 'Not supported'],
    ),
  ),
  choice('operation', 'Operation', textOperations, when(first, { resource: ['text'] })),
  choice('operation', 'Operation', textOperations, { default: 'response', ...when(second, { resource: ['text'] }) }),
  choice(
    'operation',
    'Operation',
    choices(['generate', 'Generate an Image'], ['analyze', 'Analyze Image'], ['edit', 'Edit Image']),
    where({ resource: ['image'] }),
  ),
  choice(
    'operation',
    'Operation',
    choices(['generate', 'Generate Audio'], ['transcribe', 'Transcribe a Recording'], ['translate', 'Translate a Recording']),
    where({ resource: ['audio'] }),
  ),
  choice(
    'operation',
    'Operation',
    choices(['upload', 'Upload a File'], ['list', 'List Files'], ['deleteFile', 'Delete a File']),
    where({ resource: ['file'] }),
  ),
];

const message: NodeProperty[] = [
  modelProperty('modelId', '', of('text', 'message', 'response')),
  list(
    'messages',
    'Messages',
    'values',
    [text('content', 'Prompt', 'The text of the message'), choice('role', 'Role', roles)],
    of('text', 'message'),
  ),
  toggle('simplify', 'Simplify Output', 'Whether to output the answer without the data about it', {
    default: true,
    ...of('text', 'message', 'response'),
  }),
  toggle('jsonOutput', 'Output Content as JSON', 'Whether the answer is JSON, which is parsed', of('text', 'message')),
  options(
    [
      number('frequency_penalty', 'Frequency Penalty', 0, 'Against repeated words'),
      maxTokens,
      number('n', 'Number of Completions', 1, 'How many answers to output, as an item each'),
      number('presence_penalty', 'Presence Penalty', 0, 'In favor of new topics'),
      temperature,
      topP,
      maxToolsIterations,
    ],
    of('text', 'message'),
  ),
];

const response: NodeProperty[] = [
  list(
    'responses',
    'Messages',
    'values',
    [
      choice('type', 'Type', choices(['text', 'Text'], ['image', 'Image'], ['file', 'File'])),
      choice('role', 'Role', roles),
      text('content', 'Prompt', 'The text of the message', where({ type: ['text'] })),
      choice(
        'imageType',
        'Image Type',
        choices(['url', 'Image URL'], ['fileId', 'File ID'], ['base64', 'File Data']),
        where({ type: ['image'] }),
      ),
      choice(
        'fileType',
        'File Type',
        choices(['url', 'File URL'], ['fileId', 'File ID'], ['base64', 'File Data']),
        where({ type: ['file'] }),
      ),
      text('imageUrl', 'Image URL', 'Address that OpenAI reads', where({ imageType: ['url'] })),
      text('fileUrl', 'File URL', 'Address that OpenAI reads', where({ fileType: ['url'] })),
      text('fileId', 'File ID', 'ID of a file at OpenAI', where({ type: ['image', 'file'] })),
      fileField(where({ type: ['image', 'file'] })),
      text('fileName', 'File Name', 'Name of the file for the model', where({ type: ['file'] })),
      choice('imageDetail', 'Detail', choices(['auto', 'Auto'], ['low', 'Low'], ['high', 'High']), where({ type: ['image'] })),
    ],
    of('text', 'response'),
  ),
  collection(
    'builtInTools',
    'Built-in Tools',
    [
      collection('webSearch', 'Web Search', [
        choice('searchContextSize', 'Search Context Size', choices(['medium', 'Medium'], ['low', 'Low'], ['high', 'High'])),
      ]),
      collection('fileSearch', 'File Search', [
        text('vectorStoreIds', 'Vector Store IDs', 'IDs separated by commas', { acceptsList: true }),
      ]),
      toggle('codeInterpreter', 'Code Interpreter', 'Whether the model may run code at OpenAI'),
    ],
    of('text', 'response'),
  ),
  options(
    [
      text('instructions', 'Instructions', 'The system message'),
      maxTokens,
      temperature,
      topP,
      maxToolsIterations,
      list(
        'textFormat',
        'Output Format',
        'textOptions',
        [
          choice('type', 'Type', choices(['text', 'Text'], ['json_object', 'JSON Object'], ['json_schema', 'JSON Schema'])),
          choice('verbosity', 'Verbosity', choices(['medium', 'Medium'], ['low', 'Low'], ['high', 'High'])),
          text('name', 'Name', 'Name of the schema', where({ type: ['json_schema'] })),
          text('schema', 'Schema', 'JSON Schema of the answer', { type: 'json', ...where({ type: ['json_schema'] }) }),
          text('description', 'Description', 'What the answer is, for the model', where({ type: ['json_schema'] })),
          toggle('strict', 'Strict', 'Whether the answer must match the schema', where({ type: ['json_schema'] })),
        ],
        { typeOptions: { multipleValues: false } },
      ),
      list(
        'reasoning',
        'Reasoning',
        'reasoningOptions',
        [
          choice(
            'effort',
            'Effort',
            choices(['medium', 'Medium'], ['low', 'Low'], ['high', 'High'], ['minimal', 'Minimal'], ['none', 'None']),
          ),
          choice(
            'summary',
            'Summary',
            choices(['auto', 'Auto'], ['none', 'None'], ['concise', 'Concise'], ['detailed', 'Detailed']),
          ),
        ],
        { typeOptions: { multipleValues: false } },
      ),
      ...['conversationId', 'previousResponseId', 'promptCacheKey', 'safetyIdentifier', 'serviceTier', 'truncation'].map(
        (name) => text(name, name, 'Passed to the API'),
      ),
      number('topLogprobs', 'Top Logprobs', 0, 'Likely tokens that the answer lists with each token'),
      toggle('store', 'Store', 'Whether OpenAI keeps the answer', { default: true }),
      toggle('parallelToolCalls', 'Parallel Tool Calls', 'Whether the model may call several tools at once', { default: true }),
    ],
    of('text', 'response'),
  ),
];

const classify: NodeProperty[] = [
  text('input', 'Text Input', 'The text to judge', of('text', 'classify')),
  toggle('simplify', 'Simplify Output', 'Whether to output only `flagged`', of('text', 'classify')),
];

const image: NodeProperty[] = [
  text('model', 'Model', 'A model for images, such as `dall-e-3` or `gpt-image-1`', {
    default: 'dall-e-3',
    acceptsAnyValue: true,
    ...of('image', 'generate', 'edit'),
  }),
  modelProperty('modelId', '', of('image', 'analyze', 'generate', 'edit')),
  text('prompt', 'Prompt', 'What the image shows, or how to change it', of('image', 'generate', 'edit')),
  options(
    [
      count,
      size,
      choice('style', 'Style', choices(['vivid', 'Vivid'], ['natural', 'Natural'])),
      quality,
      text('dalleQuality', 'Quality', '`standard` or `hd`'),
      text('background', 'Background', '`auto`, `opaque`, or `transparent`'),
      text('outputFormat', 'Output Format', '`png`, `jpeg`, or `webp`'),
      text('moderation', 'Moderation', '`auto` or `low`'),
      toggle('returnImageUrls', 'Respond with Image URL(s)', 'Whether to output URLs instead of files; DALL·E only'),
      outputField,
    ],
    of('image', 'generate'),
  ),
  text('text', 'Text Input', 'A question about the images', { default: "What's in this image?", ...of('image', 'analyze') }),
  choice('inputType', 'Input Type', choices(['url', 'Image URL(s)'], ['base64', 'Binary File(s)']), of('image', 'analyze')),
  text('imageUrls', 'URL(s)', 'Addresses that OpenAI reads, separated by commas', {
    acceptsList: true,
    ...where({ resource: ['image'], operation: ['analyze'], inputType: ['url'] }),
  }),
  fileField(where({ resource: ['image'], operation: ['analyze'], inputType: ['base64'] })),
  toggle('simplify', 'Simplify Output', 'Whether to output the answer without the data about it', {
    default: true,
    ...of('image', 'analyze'),
  }),
  options(
    [
      choice('detail', 'Detail', choices(['auto', 'Auto'], ['low', 'Low'], ['high', 'High'])),
      number('maxTokens', 'Length of Description (Max Tokens)', 300, 'Most tokens of the answer'),
    ],
    of('image', 'analyze'),
  ),
  fileField(of('image', 'edit')),
  list('images', 'Images', 'values', [fileField({})], of('image', 'edit')),
  choice(
    'responseFormat',
    'Response Format',
    choices(['b64_json', 'File'], ['url', 'URL', 'DALL·E only']),
    of('image', 'edit'),
  ),
  options(
    [
      count,
      size,
      quality,
      text('background', 'Background', '`auto`, `opaque`, or `transparent`'),
      text('inputFidelity', 'Input Fidelity', '`low` or `high`'),
      text('outputFormat', 'Output Format', '`png`, `jpeg`, or `webp`'),
      number('outputCompression', 'Output Compression', 100, 'Percent, for `jpeg` and `webp`'),
      text('imageMask', 'Image Mask', 'Property of the item with the mask'),
      text('user', 'User', 'ID of the user'),
      outputField,
    ],
    of('image', 'edit'),
  ),
];

const audio: NodeProperty[] = [
  text('model', 'Model', 'The model', { default: 'tts-1', acceptsAnyValue: true, ...of('audio', 'generate') }),
  text('input', 'Text Input', 'The text to speak', of('audio', 'generate')),
  text('voice', 'Voice', 'As OpenAI names it: `alloy`, `echo`, `fable`, `nova`, `onyx`, `shimmer`, and others', {
    default: 'alloy',
    ...of('audio', 'generate'),
  }),
  options(
    [
      choice(
        'response_format',
        'Response Format',
        choices(['mp3', 'MP3'], ['opus', 'OPUS'], ['aac', 'AAC'], ['flac', 'FLAC'], ['wav', 'WAV'], ['pcm', 'PCM']),
      ),
      number('speed', 'Audio Speed', 1, 'From 0.25 to 4'),
      outputField,
    ],
    of('audio', 'generate'),
  ),
  fileField(of('audio', 'transcribe', 'translate')),
  options(
    [
      text('language', 'Language of the Audio File', 'As ISO 639-1: `en`; not for translations'),
      number('temperature', 'Output Randomness (Temperature)', 0, 'Randomness of the text; 0: least'),
    ],
    of('audio', 'transcribe', 'translate'),
  ),
];

const file: NodeProperty[] = [
  fileField(of('file', 'upload')),
  text('fileId', 'File', 'ID of the file', { acceptsAnyValue: true, ...of('file', 'deleteFile') }),
  options([text('purpose', 'Purpose', 'As `assistants`, `fine-tune`, or `user_data`')], of('file', 'upload', 'list')),
];

export const openAiProperties: NodeProperty[] = [
  ...resource,
  ...message,
  ...response,
  ...classify,
  ...image,
  ...audio,
  ...file,
];
