import type { ExecuteContext } from '@sluice/node-sdk';
import { booleanParameter, choiceParameter, textParameter } from '../../shared/parameters.ts';

/** What is to become of a response, whatever the version of the parameters that say so. */
export interface ResponseOptions {
  format: 'autodetect' | 'json' | 'text' | 'file';
  /** Items hold headers and status too. */
  full: boolean;
  /** An answer counts as success whatever its status. */
  neverError: boolean;
  /** The field for text, and for files. */
  property: string;
  /** A list gives one item for each of its elements. */
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
