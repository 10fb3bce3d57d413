import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A model finds the number and the total of an invoice.',
  nodes: {
    Extractor: {
      type: 'ai.information-extractor',
      typeVersion: 1.2,
      parameters: {
        text: '={{ $json.mail }}',
        attributes: {
          attributes: [
            { name: 'number', description: 'Number of the invoice', required: true },
            { name: 'total', type: 'number', description: 'Amount to pay, in euros' },
          ],
        },
      },
    },
    Model: {
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: 'gpt-4o-mini' },
      credential: 'openAiApi',
      to: { Extractor: 'ai_languageModel' },
    },
  },
  items: [{ mail: 'Please pay 12.50 € for invoice R-7.' }],
  apis: { openAi: [{ text: '{"number":"R-7","total":12.5}' }] },
  output: { node: 'Extractor', items: [{ output: { number: 'R-7', total: 12.5 } }] },
};
