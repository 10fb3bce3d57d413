import type { NodeProperty, NodeType } from '@sluice/node-sdk';
import { choice, choices, collection, list, number, options, text, toggle, when, where } from '@sluice/nodes-base/node-tools';
import { geminiAddress, geminiOption, newerTextModel } from '../../shared/gemini.ts';
import { modelMethods, modelProperty } from '../../shared/model-list.ts';
import { geminiCredential, newerImageModel } from './call-gemini.ts';
import { executeGoogleGemini, unsupportedUses } from './execute-google-gemini.ts';

const earlier = [1, 1.1];
const of = (resource: string, ...operation: string[]) => where({ resource: [resource], operation });
const maxOutputTokens = number('maxOutputTokens', 'Maximum Number of Tokens', 300, 'Most tokens of the answer');
const analysis = { resource: ['image', 'audio', 'document', 'video'], operation: ['analyze', 'transcribe'] };
const field = (more: Partial<NodeProperty> = {}) =>
  text('binaryPropertyName', 'Input Data Field Name(s)', 'Properties of the item with the files, separated by commas', {
    default: 'data',
    ...more,
  });
const outputField = text('binaryPropertyOutput', 'Put Output in Field', 'Property of the item that gets the file', {
  default: 'data',
});

const operation = (resource: string, values: ReturnType<typeof choices>) =>
  choice('operation', 'Operation', values, where({ resource: [resource] }));

const properties: NodeProperty[] = [
  choice(
    'resource',
    'Resource',
    choices(
      ['text', 'Text'],
      ['image', 'Image'],
      ['audio', 'Audio'],
      ['document', 'Document'],
      ['video', 'Video'],
      ['file', 'File'],
      ['fileSearch', 'File Search', 'Not supported'],
    ),
  ),
  operation('text', choices(['message', 'Message a Model'])),
  operation('image', choices(['generate', 'Generate an Image'], ['analyze', 'Analyze Image'], ['edit', 'Edit Image'])),
  operation('audio', choices(['transcribe', 'Transcribe a Recording'], ['analyze', 'Analyze Audio'])),
  operation('document', choices(['analyze', 'Analyze Document'])),
  operation('video', choices(['generate', 'Generate a Video'], ['analyze', 'Analyze Video'], ['download', 'Download Video'])),
  operation('file', choices(['upload', 'Upload File'])),
  modelProperty('modelId', '', when(earlier, { resource: ['text', 'image'] })),
  modelProperty('modelId', newerTextModel, when([1.2], { resource: ['text'] })),
  modelProperty('modelId', newerImageModel, when([1.2], { resource: ['image'], operation: ['generate'] })),
  modelProperty('modelId', '', {
    displayOptions: { show: { '@version': [1.2], resource: ['image'] }, hide: { operation: ['generate'] } },
  }),
  modelProperty('modelId', '', where({ resource: ['audio', 'document', 'video'] })),
  list(
    'messages',
    'Messages',
    'values',
    [
      text('content', 'Prompt', 'The text of the message'),
      choice('role', 'Role', choices(['user', 'User'], ['model', 'Model'])),
    ],
    of('text', 'message'),
  ),
  toggle('simplify', 'Simplify Output', 'Whether to output each candidate without the data about the answer', {
    default: true,
  }),
  toggle('jsonOutput', 'Output Content as JSON', 'Whether the text of the answer is JSON', of('text', 'message')),
  collection(
    'builtInTools',
    'Built-in Tools',
    [
      toggle('googleSearch', 'Google Search', 'Whether the model may search', { acceptsAnyValue: true }),
      toggle('urlContext', 'URL Context', 'Whether the model may read the addresses in the prompt', { acceptsAnyValue: true }),
      toggle('codeExecution', 'Code Execution', 'Whether the model may run code at Google', { acceptsAnyValue: true }),
    ],
    when([1.1, 1.2], { resource: ['text'] }),
  ),
  options(
    [
      text('systemMessage', 'System Message', 'Instructions for the model'),
      maxOutputTokens,
      number('temperature', 'Output Randomness (Temperature)', 1, 'Randomness of the answer; 0: least'),
      number('topP', 'Output Randomness (Top P)', 1, 'Share of likely tokens that are considered'),
      number('topK', 'Output Randomness (Top K)', 1, 'Number of likely tokens that are considered'),
      number('candidateCount', 'Number of Completions', 1, 'How many answers to output, as an item each'),
      number('frequencyPenalty', 'Frequency Penalty', 0, 'Against repeated words'),
      number('presencePenalty', 'Presence Penalty', 0, 'In favor of new topics'),
      number('thinkingBudget', 'Thinking Budget', -1, 'Most tokens for reasoning; 0: none, -1: as the model decides'),
      number('maxToolsIterations', 'Max Tool Calls Iterations', 15, 'Most rounds of tools; 0: 1,000'),
      toggle('codeExecution', 'Code Execution', 'Whether the model may run code at Google'),
    ],
    of('text', 'message'),
  ),
  text('prompt', 'Prompt', 'What the image shows, or how to change it', of('image', 'generate', 'edit')),
  list('images', 'Images', 'values', [field()], of('image', 'edit')),
  options(
    [
      number('sampleCount', 'Number of Images', 1, 'How many images to make; Imagen only'),
      text('aspectRatio', 'Aspect Ratio', 'As `1:1` or `16:9`'),
      outputField,
    ],
    of('image', 'generate', 'edit'),
  ),
  text('prompt', 'Prompt', 'What the video shows', of('video', 'generate')),
  choice(
    'returnAs',
    'Return As',
    choices(['video', 'Video'], ['url', 'URL', 'Google keeps it for two days']),
    of('video', 'generate'),
  ),
  options(
    [
      number('sampleCount', 'Number of Videos', 1, 'How many videos to make'),
      number('durationSeconds', 'Duration (Seconds)', 8, 'Length of a video, as the model allows it'),
      text('aspectRatio', 'Aspect Ratio', '`16:9` or `9:16`'),
      text('personGeneration', 'Person Generation', '`dont_allow`, `allow_adult`, or `allow_all`'),
      outputField,
    ],
    of('video', 'generate'),
  ),
  text('url', 'URL', 'Address of a video that the API has made', of('video', 'download')),
  options([outputField], of('video', 'download')),
  text('text', 'Text Input', 'A question about the files', where({ ...analysis, operation: ['analyze'] })),
  choice('inputType', 'Input Type', choices(['url', 'URL(s)'], ['binary', 'Binary File(s)']), where(analysis)),
  ...['image', 'audio', 'document', 'video'].map((kind) =>
    text(`${kind}Urls`, 'URL(s)', 'Addresses, separated by commas', {
      acceptsList: true,
      ...where({ resource: [kind], operation: ['analyze', 'transcribe'], inputType: ['url'] }),
    }),
  ),
  field(where({ ...analysis, inputType: ['binary'] })),
  field(of('file', 'upload')),
  options(
    [
      maxOutputTokens,
      text('startTime', 'Start Time', 'As `00:30`; for transcripts'),
      text('endTime', 'End Time', 'As `01:30`; for transcripts'),
    ],
    where(analysis),
  ),
];

/** Google Gemini text, images, audio, documents, and videos. */
export const googleGemini: NodeType = {
  description: {
    displayName: 'Google Gemini',
    name: 'google-gemini',
    group: ['transform'],
    version: [...earlier, 1.2],
    defaultVersion: 1.2,
    description: 'Asks a Google Gemini model, analyzes images, audio, documents, and videos, and generates images and videos',
    defaults: { name: 'Google Gemini' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    subNodes: [{ type: 'ai_tool', displayName: 'Tools', displayOptions: { show: { resource: ['text'] } } }],
    credentials: [{ name: geminiCredential, required: true }],
    properties,
    icon: 'fa:comment',
  },
  unsupported: unsupportedUses,
  methods: modelMethods({
    credential: geminiCredential,
    url: (data) => `${geminiAddress(data)}/models?pageSize=1000`,
    member: 'models',
    option: (model) => geminiOption(model, 'generateContent') ?? geminiOption(model, 'predict'),
  }),
  execute: executeGoogleGemini,
};
