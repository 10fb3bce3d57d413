import type { ExecuteContext, JsonObject, JsonValue } from '@sluice/node-sdk';
import { requiredText, textParameter } from '@sluice/nodes-base/node-tools';
import { answerOnce } from './answer-once.ts';
import { modelsOf } from './ask-model.ts';
import { filled } from './filled-template.ts';
import { StructuredParser } from './structured-parser.ts';

/** A question about an item's text. */
interface JsonQuestion {
  /** Parameter with the text. */
  parameter: string;
  /** Default instructions; `options.systemPromptTemplate` overrides them. */
  instructions: string;
  /** Name → text that replaces `{name}` in the instructions. */
  values?: Readonly<Record<string, string>>;
  /** JSON Schema that the answer must match. */
  schema: JsonObject;
  /** See `Question`. */
  maxCorrections?: number;
}

/** Asks the connected model about some text; resolves to an answer that matches the schema. */
export async function askForJson(context: ExecuteContext, itemIndex: number, question: JsonQuestion): Promise<JsonValue> {
  const { parameter, instructions, values = {}, schema, maxCorrections = 2 } = question;
  const text = requiredText(context, parameter, itemIndex);
  const template = textParameter(context, 'options.systemPromptTemplate', itemIndex) || instructions;
  const { output } = await answerOnce({
    models: await modelsOf(context, itemIndex),
    messages: [
      { role: 'system', content: filled(template, values) },
      { role: 'user', content: text },
    ],
    parser: new StructuredParser(schema, context.workflow, itemIndex),
    signal: context.signal,
    maxCorrections,
  });
  return output;
}
