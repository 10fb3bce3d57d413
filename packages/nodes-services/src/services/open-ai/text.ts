import { number, options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { chatAnswers } from './chat.ts';
import { completionOptions, temperature, topP } from './completion-options.ts';
import { askModel, listIn, modelOf, optionsOf } from './open-ai-client.ts';

const simplifyOutput = toggle('simplifyOutput', 'Simplify', 'Whether to output only the answers, as an item each', {
  default: true,
});

/** Models of OpenAI's edits API, which it has shut down, and the chat model that edits instead. */
const discontinuedEditModels = /-edit-\d+$/;
const defaultEditModel = 'gpt-4o-mini';
const defaultCompletionModel = 'gpt-3.5-turbo-instruct';
const defaultModerationModel = 'omni-moderation-latest';

export const textResource: Resource = {
  displayName: 'Text',
  operations: {
    complete: {
      displayName: 'Complete',
      description: 'Completes text with a completion model',
      properties: [
        text('model', 'Model', 'A model for completions: its name', {
          default: defaultCompletionModel,
          acceptsAnyValue: true,
        }),
        text('prompt', 'Prompt', 'The text to continue', { acceptsAnyValue: true }),
        simplifyOutput,
        options([
          number('bestOf', 'Best Of', 1, 'Number of answers to generate, of which the best are output'),
          toggle('echo', 'Echo Prompt', 'Whether the answer begins with the prompt'),
          ...completionOptions,
        ]),
      ],
      run: async (item) => {
        const model = modelOf(item, ['model'], defaultCompletionModel);
        const json = { model, prompt: item.text('prompt'), ...optionsOf(item) };
        const answer = await askModel(item, '/completions', json);
        return item.toggle('simplifyOutput', true) ? listIn(answer, 'choices') : answer;
      },
    },
    edit: {
      displayName: 'Edit',
      description: 'Edits text by an instruction. OpenAI has shut down its edits API, so a chat model does it',
      properties: [
        text('model', 'Model', 'A chat model: its name', { default: defaultEditModel, acceptsAnyValue: true }),
        text('input', 'Input', 'The text to change'),
        text('instruction', 'Instruction', 'How to change it'),
        simplifyOutput,
        options([temperature, topP]),
      ],
      run: async (item) => {
        const model = modelOf(item, ['model'], defaultEditModel);
        const messages = [
          {
            role: 'system',
            content: `Change the text of the user. Answer with the changed text only. ${item.required('instruction')}`,
          },
          { role: 'user', content: item.text('input') },
        ];
        return chatAnswers(item, discontinuedEditModels.test(model) ? defaultEditModel : model, messages);
      },
    },
    moderate: {
      displayName: 'Moderate',
      description: 'Classifies whether text is harmful',
      properties: [
        text('input', 'Input', 'The text to judge'),
        text('model', 'Model', 'A model for moderation: its name', {
          default: defaultModerationModel,
          acceptsAnyValue: true,
        }),
        simplifyOutput,
      ],
      run: async (item) => {
        const model = modelOf(item, ['model'], defaultModerationModel);
        const json = { model, input: item.required('input') };
        const answer = await askModel(item, '/moderations', json);
        return item.toggle('simplifyOutput', true) ? listIn(answer, 'results') : answer;
      },
    },
  },
};
