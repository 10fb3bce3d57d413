import { type ConnectionType, isJsonObject, type JsonObject, type NodeType, ownProperty } from '@sluice/node-sdk';
import { choice, choices, list, options, text, toggle } from '@sluice/nodes-base/node-tools';
import { batching } from '../../shared/prompt-properties.ts';
import { classifierInstructions, classifyItems } from './classify-items.ts';

/** Has a model sort items into categories, each with an output. */
export const textClassifier: NodeType = {
  description: {
    displayName: 'Text Classifier',
    name: 'text-classifier',
    group: ['transform'],
    version: [1, 1.1],
    description: 'Has a language model choose the category of each text; each category has an output',
    defaults: { name: 'Text Classifier' },
    inputs: ['main'],
    outputs: ['main'],
    subNodes: [{ type: 'ai_languageModel', displayName: 'Model', required: true, maxCount: 1 }],
    properties: [
      text('inputText', 'Text to Classify', 'The text, usually an expression'),
      list('categories', 'Categories', 'categories', [
        text('category', 'Category', 'Name of the category'),
        text('description', 'Description', 'Which text belongs to it, for the model'),
      ]),
      options([
        toggle('multiClass', 'Allow Multiple Classes To Be True', 'Whether an item may go to several outputs'),
        choice(
          'fallback',
          'When No Clear Match',
          choices(['discard', 'Discard Item'], ['other', 'Output on Extra, "Other" Branch']),
        ),
        text('systemPromptTemplate', 'System Prompt Template', 'Instructions; `{categories}` becomes the names', {
          default: classifierInstructions,
        }),
        toggle('enableAutoFixing', 'Enable Auto-Fixing', 'Whether the model corrects an answer of another form', {
          default: true,
        }),
        batching(),
      ]),
    ],
    icon: 'fa:tags',
  },
  outputs: (parameters) => Array.from({ length: outputCount(parameters) }, (): ConnectionType => 'main'),
  execute: (context) => classifyItems(context, outputCount(context.node.parameters)),
};

/** One output for each category, and one for other items. */
function outputCount(parameters: JsonObject): number {
  const group = memberOf(parameters, 'categories');
  const categories = group && ownProperty(group, 'categories');
  const settings = memberOf(parameters, 'options');
  const hasOther = settings !== undefined && ownProperty(settings, 'fallback') === 'other';
  return Math.max(1, (Array.isArray(categories) ? categories.length : 0) + (hasOther ? 1 : 0));
}

function memberOf(parameters: JsonObject, name: string): JsonObject | undefined {
  const value = ownProperty(parameters, name);
  return isJsonObject(value) ? value : undefined;
}
