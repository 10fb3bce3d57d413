import { NodeOperationError, type WebhookFiles, type WebhookResponseSpec } from '@sluice/node-sdk';
import { booleanParameter, choiceParameter, type ParameterSource, textParameter } from './parameters.ts';
import { choices } from './properties.ts';

/*
 * Parameters for files and response data, shared by nodes whose webhook starts or resumes a
 * workflow.
 */

/** How files in requests are handled. */
export function webhookFiles(source: ParameterSource, typeVersion: number): WebhookFiles {
  const property = textParameter(source, 'options.binaryPropertyName', 0).trim();
  const named = property !== '' && { property };
  if (booleanParameter(source, 'options.rawBody', 0, false)) return { take: 'body', ...named };
  if (typeVersion > 1) return { take: 'all', ...named };
  return booleanParameter(source, 'options.binaryData', 0, false) ? { take: 'body', ...named } : { take: 'none' };
}

const dataChoices = ['firstEntryJson', 'allEntries', 'firstEntryBinary', 'noData'] as const;

export const lastNodeChoices = choices(
  ['firstEntryJson', 'First Entry JSON'],
  ['allEntries', 'All Entries'],
  ['firstEntryBinary', 'First Entry Binary'],
  ['noData', 'No Response Body'],
);

/** The part of the last node's output to respond with, if the last node provides the response. */
export function lastNodeData(
  source: ParameterSource,
  isLast: boolean,
): Pick<WebhookResponseSpec, 'data' | 'property' | 'contentType' | 'binaryProperty'> {
  if (!isLast) return { data: 'noData' };
  return {
    data: choiceParameter(source, 'responseData', 0, dataChoices, 'firstEntryJson'),
    ...textOption(source, 'options.responsePropertyName', 'property'),
    ...contentTypeOption(source),
    ...textOption(source, 'responseBinaryPropertyName', 'binaryProperty'),
  };
}

function contentTypeOption(source: ParameterSource): { contentType?: string } {
  const option = textOption(source, 'options.responseContentType', 'contentType');
  if (option.contentType === undefined || mediaType.test(option.contentType)) return option;
  throw new NodeOperationError('the option "responseContentType" must be a media type', {
    description: 'For example text/html; charset=utf-8',
  });
}

/** RFC 9110 media type, with any parameters that a header can contain. */
const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:[ \t]*;[\t\x20-\x7e]*)?$/;

function textOption<Name extends string>(source: ParameterSource, path: string, name: Name): { [key in Name]?: string } {
  const value = textParameter(source, path, 0).trim();
  return value === '' ? {} : ({ [name]: value } as { [key in Name]: string });
}
