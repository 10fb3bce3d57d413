import type { ExecuteContext, JsonValue } from '@sluice/node-sdk';
import type { ConverterOptions } from 'showdown';
import { booleanParameter, numberParameter, textParameter } from '../../shared/parameters.ts';

/** Options of the node that the converter knows under the same name. Absent ones keep the converter's own default. */
const flags = [
  'openLinksInNewWindow',
  'simplifiedAutoLink',
  'backslashEscapesHTMLTags',
  'completeHTMLDocument',
  'customizedHeaderId',
  'emoji',
  'encodeEmails',
  'excludeTrailingPunctuationFromURLs',
  'ghCodeBlocks',
  'ghCompatibleHeaderId',
  'ghMentions',
  'requireSpaceBeforeHeadingText',
  'literalMidWordAsterisks',
  'literalMidWordUnderscores',
  'noHeaderId',
  'parseImgDimensions',
  'rawHeaderId',
  'rawPrefixHeaderId',
  'simpleLineBreaks',
  'smartIndentationFix',
  'disableForced4SpacesIndentedSublists',
  'splitAdjacentBlockquotes',
  'strikethrough',
  'tablesHeaderId',
  'tables',
  'tasklists',
] as const satisfies readonly (keyof ConverterOptions)[];

/**
 * HTML of Markdown, original Markdown with the extensions that options switch on. HTML and addresses of links stay as they are. Some of the
 * converter's patterns take exponential time, so it runs on a thread only (`isLight`).
 */
export async function markdownToHtml(context: ExecuteContext, markdown: string, itemIndex: number): Promise<string> {
  const { default: showdown } = await import('showdown');
  return new showdown.Converter(readOptions(context, itemIndex)).makeHtml(markdown);
}

function readOptions(context: ExecuteContext, itemIndex: number): ConverterOptions {
  const options: ConverterOptions = {};
  const isSet = (name: string) => (context.parameter<JsonValue>(`options.${name}`, itemIndex) ?? null) !== null;
  for (const name of flags.filter(isSet)) options[name] = booleanParameter(context, `options.${name}`, itemIndex, false);
  if (isSet('headerLevelStart')) options.headerLevelStart = numberParameter(context, 'options.headerLevelStart', itemIndex, 1);
  for (const name of ['ghMentionsLink', 'prefixHeaderId'] as const) {
    if (isSet(name)) options[name] = textParameter(context, `options.${name}`, itemIndex);
  }
  return options;
}
