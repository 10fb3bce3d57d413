import type { ChatMessage, TextDocument } from '@sluice/node-sdk';
import { filled } from './filled-template.ts';

export const defaultSystemPrompt = `Answer the question of the user from the context below. If the context does not contain the answer, say that you do not know.
----------------
Context: {context}`;

/**
 * The messages that ask a model to answer a question from documents. `{context}` in the template
 * becomes their text.
 */
export function contextPrompt(
  question: string,
  documents: readonly TextDocument[],
  template = defaultSystemPrompt,
): ChatMessage[] {
  const context = documents.map(({ text }) => text).join('\n\n');
  return [
    { role: 'system', content: filled(template, { context, question }) },
    { role: 'user', content: question },
  ];
}
