import { type ConnectionType, isJsonObject, type JsonObject, type NodeType, ownProperty } from '@sluice/node-sdk';
import { options, text, toggle } from '@sluice/nodes-base/node-tools';
import { batching } from '../../shared/prompt-properties.ts';
import { analyzeItems, defaultSentiments, sentimentInstructions, sentimentsIn } from './analyze-items.ts';

/** Has a model classify the sentiment of text; each sentiment has an output. */
export const sentimentAnalysis: NodeType = {
  description: {
    displayName: 'Sentiment Analysis',
    name: 'sentiment-analysis',
    group: ['transform'],
    version: [1, 1.1],
    description: 'Has a language model judge the sentiment of each text; each sentiment has an output',
    defaults: { name: 'Sentiment Analysis' },
    inputs: ['main'],
    outputs: ['main', 'main', 'main'],
    subNodes: [{ type: 'ai_languageModel', displayName: 'Model', required: true, maxCount: 1 }],
    properties: [
      text('inputText', 'Text to Analyze', 'The text, usually an expression'),
      options([
        text('categories', 'Sentiment Categories', 'Names separated by commas; each has an output', {
          default: defaultSentiments,
        }),
        text('systemPromptTemplate', 'System Prompt Template', 'Instructions; `{categories}` becomes the names', {
          default: sentimentInstructions,
        }),
        toggle(
          'includeDetailedResults',
          'Include Detailed Results',
          'Whether to add the strength and the confidence, which are estimates of the model',
        ),
        toggle('enableAutoFixing', 'Enable Auto-Fixing', 'Whether the model corrects an answer of another form', {
          default: true,
        }),
        batching(),
      ]),
    ],
    icon: 'fa:balance-scale-left',
  },
  outputs: (parameters) => Array.from({ length: outputCount(parameters) }, (): ConnectionType => 'main'),
  execute: (context) => analyzeItems(context, outputCount(context.node.parameters)),
};

function outputCount(parameters: JsonObject): number {
  const settings = ownProperty(parameters, 'options');
  const written = isJsonObject(settings) ? ownProperty(settings, 'categories') : undefined;
  return Math.max(1, sentimentsIn(typeof written === 'string' ? written : defaultSentiments).length);
}
