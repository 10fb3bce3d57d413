import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'Personal data and links are removed from text.',
  nodes: {
    Guardrails: {
      type: 'ai.guardrails',
      parameters: {
        operation: 'sanitize',
        text: '={{ $json.text }}',
        guardrails: {
          pii: { value: { type: 'selected', entities: ['EMAIL_ADDRESS'] } },
          urls: { value: { allowedUrls: 'example.com' } },
        },
      },
    },
  },
  items: [{ text: 'Ask ada@example.com, or see https://evil.example/x.' }],
  output: {
    node: 'Guardrails',
    items: [
      {
        guardrailsInput: 'Ask <EMAIL_ADDRESS>, or see <URL>.',
        checks: [
          { name: 'pii', triggered: true, info: { findings: [{ type: 'EMAIL_ADDRESS', value: 'ada@example.com' }] } },
          { name: 'urls', triggered: true, info: { findings: [{ type: 'URL', value: 'https://evil.example/x' }] } },
        ],
      },
    ],
  },
};
