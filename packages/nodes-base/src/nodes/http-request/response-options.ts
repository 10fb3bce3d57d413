import type { ExecuteContext } from '@sluice/node-sdk';
import { booleanParameter, choiceParameter, textParameter } from '../../shared/parameters.ts';

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
}

export function readResponseOptions(context: ExecuteContext, itemIndex: number): ResponseOptions {
  return context.typeVersion < 3 ? legacyOptions(context, itemIndex) : options(context, itemIndex);
}

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
