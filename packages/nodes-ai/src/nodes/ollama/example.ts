import type { AiExample } from '../../testing/ai-example.ts';

export const example: AiExample = {
  shows: 'A model on an Ollama server answers a question.',
  nodes: {
    Ollama: {
      type: 'ai.ollama',
      parameters: { modelId: 'llama3.2', messages: { values: [{ content: '={{ $json.question }}' }] } },
      credential: 'ollamaApi',
    },
  },
  items: [{ question: 'What is the capital of Italy?' }],
  apis: { ollama: [{ text: 'Rome' }] },
  output: { node: 'Ollama', items: [{ content: 'Rome' }] },
};
