import {
  type ChatMessage,
  isNodeOperationError,
  type JsonValue,
  type LanguageModel,
  type OutputParser,
} from '@sluice/node-sdk';
import { askModel, assertAnswered } from './ask-model.ts';

export interface Question {
  models: readonly LanguageModel[];
  messages: readonly ChatMessage[];
  parser?: OutputParser | undefined;
  signal: AbortSignal;
  /** How often an answer that the output parser rejects is returned to the model. Default: 2. */
  maxCorrections?: number;
}

/**
 * One answer without tools, parsed if there is a parser. An answer that the parser rejects is
 * returned to the model with the reason. `text`: the answer as written.
 */
export async function answerOnce(question: Question): Promise<{ output: JsonValue; text: string }> {
  const { models, messages, parser, signal, maxCorrections = 2 } = question;
  const conversation: ChatMessage[] = parser ? withInstructions(messages, parser) : [...messages];
  for (let corrections = 0; ; corrections += 1) {
    const answer = await askModel(models, { messages: conversation }, signal);
    assertAnswered(answer, parser !== undefined);
    const { text, content } = answer;
    if (!parser) return { output: text, text };
    try {
      return { output: await parser.parse(text, signal), text };
    } catch (error) {
      if (signal.aborted || !isNodeOperationError(error) || corrections >= maxCorrections) throw error;
      conversation.push(
        { role: 'assistant', content },
        { role: 'user', content: `${error.message}\n\n${parser.instructions}` },
      );
    }
  }
}

/** Appends the parser's instructions to the last user message. */
function withInstructions(messages: readonly ChatMessage[], { instructions }: OutputParser): ChatMessage[] {
  return [...messages, { role: 'user', content: instructions }];
}
