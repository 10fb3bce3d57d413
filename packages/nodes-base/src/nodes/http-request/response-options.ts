import type { ExecuteContext } from '@sluice/node-sdk';
import { booleanParameter, choiceParameter, textParameter } from '../../shared/parameters.ts';
import { optimizedType, type ResponseType } from './optimized-response.ts';

/** How to process a response, for all versions of the parameters. */
export interface ResponseOptions {
  format: 'autodetect' | 'json' | 'text' | 'file';
  /** Whether items include headers and status. */
  full: boolean;
  /** Whether every status counts as success. */
  neverError: boolean;
  /** Field for text and files. */
  property: string;
  /** Whether each element of a list becomes an item. */
  splitList: boolean;
  /**
   * Expected type of a response of which a model receives only a part; absent: the whole response
   * is the result.
   */
  optimized?: ResponseType;
}

export type ReadResponseOptions = (context: ExecuteContext, itemIndex: number) => ResponseOptions;

export const readResponseOptions: ReadResponseOptions = (context, itemIndex) =>
  context.typeVersion < 3 ? legacyOptions(context, itemIndex) : options(context, itemIndex);

/** An expected page or text is read as text, regardless of its content type. */
export const readToolResponseOptions: ReadResponseOptions = (context, itemIndex) => {
  const responseOptions = readResponseOptions(context, itemIndex);
  const optimized = context.typeVersion < 3 ? undefined : optimizedType(context, itemIndex);
  if (!optimized) return responseOptions;
  return { ...responseOptions, optimized, ...(optimized !== 'json' && { format: 'text' }) };
};

function options(context: ExecuteContext, itemIndex: number): ResponseOptions {
  const path = 'options.response.response';
  const formats = ['autodetect', 'file', 'json', 'text'] as const;
  return {
    format: choiceParameter(context, `${path}.responseFormat`, itemIndex, formats, 'autodetect'),
    full: booleanParameter(context, `${path}.fullResponse`, itemIndex, false),
    neverError: booleanParameter(context, `${path}.neverError`, itemIndex, false),
    property: textParameter(context, `${path}.outputPropertyName`, itemIndex) || 'data',
    splitList: true,
  };
}

function legacyOptions(context: ExecuteContext, itemIndex: number): ResponseOptions {
  const format = choiceParameter(context, 'responseFormat', itemIndex, ['json', 'string', 'file'], 'json');
  return {
    format: format === 'string' ? 'text' : format,
    full: booleanParameter(context, 'options.fullResponse', itemIndex, false),
    neverError: booleanParameter(context, 'options.ignoreResponseCode', itemIndex, false),
    property: textParameter(context, 'dataPropertyName', itemIndex) || 'data',
    splitList: booleanParameter(context, 'options.splitIntoItems', itemIndex, false),
  };
}
