import { number, options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { chatAnswers } from './chat.ts';
import { askModel, listIn, modelOf, optionsOf } from './open-ai-client.ts';

const simplifyOutput = toggle('simplifyOutput', 'Simplify', 'Whether to output only the answers, as an item each', {
  default: true,
});
const temperature = number('temperature', 'Sampling Temperature', 1, 'Randomness of the answer; 0: least');
const topP = number('topP', 'Top P', 1, 'Share of likely tokens that are considered');

/** Models of a discontinued OpenAI API, and the model that edits instead. */
const endedEditors = /-edit-\d+$/;
const editor = 'gpt-4o-mini';

export const textResource: Resource = {
  displayName: 'Text',
  operations: {
    complete: {
      displayName: 'Complete',
      description: 'Completes text with a completion model',
      properties: [
        text('model', 'Model', 'A model for completions: its name', {
          default: 'gpt-3.5-turbo-instruct',
          acceptsAnyValue: true,
        }),
        text('prompt', 'Prompt', 'The text to continue', { acceptsAnyValue: true }),
        simplifyOutput,
        options([
          number('bestOf', 'Best Of', 1, 'How many answers the best ones are chosen from'),
          toggle('echo', 'Echo Prompt', 'Whether the answer begins with the prompt'),
          number('frequencyPenalty', 'Frequency Penalty', 0, 'Against repeated words'),
          number('maxTokens', 'Maximum Number of Tokens', 16, 'Most tokens of the answer'),
          number('n', 'Number of Completions', 1, 'How many answers to output'),
          number('presencePenalty', 'Presence Penalty', 0, 'In favor of new topics'),
          temperature,
          topP,
        ]),
      ],
      run: async (item) => {
        const model = modelOf(item, ['model'], 'gpt-3.5-turbo-instruct');
        const json = { model, prompt: item.text('prompt'), ...optionsOf(item) };
        const answer = await askModel(item, '/completions', json);
        return item.toggle('simplifyOutput', true) ? listIn(answer, 'choices') : answer;
      },
    },
    edit: {
      displayName: 'Edit',
      description: 'Edits text by an instruction. OpenAI has shut down its edits API, so a chat model does it',
      properties: [
        text('model', 'Model', 'A chat model: its name', { default: editor, acceptsAnyValue: true }),
        text('input', 'Input', 'The text to change'),
        text('instruction', 'Instruction', 'How to change it'),
        simplifyOutput,
        options([temperature, topP]),
      ],
      run: async (item) => {
        const model = modelOf(item, ['model'], editor);
        const messages = [
          {
            role: 'system',
            content: `Change the text of the user. Answer with the changed text only. ${item.required('instruction')}`,
          },
          { role: 'user', content: item.text('input') },
        ];
        return chatAnswers(item, endedEditors.test(model) ? editor : model, messages);
      },
    },
    moderate: {
      displayName: 'Moderate',
      description: 'Classifies whether text is harmful',
      properties: [
        text('input', 'Input', 'The text to judge'),
        text('model', 'Model', 'A model for moderation: its name', {
          default: 'omni-moderation-latest',
          acceptsAnyValue: true,
        }),
        simplifyOutput,
      ],
      run: async (item) => {
        const model = modelOf(item, ['model'], 'omni-moderation-latest');
        const json = { model, input: item.required('input') };
        const answer = await askModel(item, '/moderations', json);
        return item.toggle('simplifyOutput', true) ? listIn(answer, 'results') : answer;
      },
    },
  },
};
