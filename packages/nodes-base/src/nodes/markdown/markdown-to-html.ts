import type { ExecuteContext, JsonValue } from '@sluice/node-sdk';
import type { ConverterOptions } from 'showdown';
import { booleanParameter, numberParameter, textParameter } from '../../shared/parameters.ts';

/**
 * Node options for which the converter uses the same name. Absent options have the converter's
 * default.
 */
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
 * Converts Markdown to HTML: original Markdown with the extensions that options enable. HTML and
 * link addresses are unchanged. Some of the converter's patterns take exponential time, so it only
 * runs on a thread (`isLight`).
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
