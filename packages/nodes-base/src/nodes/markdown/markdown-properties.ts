import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, names, number, options, text, toggle } from '../../shared/properties.ts';

const toMarkdown = { displayOptions: { show: { mode: ['htmlToMarkdown'] } } };
const toHtml = { displayOptions: { show: { mode: ['markdownToHtml'] } } };

const replacement = (
  name: string,
  displayName: string,
  description: string,
  group: string,
  multiple: boolean,
): NodeProperty => ({
  displayName,
  name,
  type: 'fixedCollection',
  default: {},
  typeOptions: { multipleValues: multiple },
  description: `${description}; regular expressions use RE2 syntax`,
  options: [
    {
      name: group,
      displayName: 'Value',
      values: [
        text('pattern', 'Pattern', 'A regular expression'),
        text('replacement', 'Replacement', '`$1` is the first group'),
      ],
    },
  ],
});

const markdownOptions = options(
  [
    text('bulletMarker', 'Bullet Marker', 'List entry marker', { default: '*' }),
    text('codeFence', 'Code Block Fence', 'Code block delimiter', { default: '```' }),
    text('emDelimiter', 'Emphasis Delimiter', 'Emphasis delimiter', { default: '_' }),
    replacement('globalEscape', 'Global Escape Pattern', 'Replaces the default escapes', 'value', false),
    names('ignore', 'Ignored Elements', 'Elements to omit, separated by commas'),
    toggle('keepDataImages', 'Keep Images With Data', 'Whether to keep images with `data:` addresses'),
    replacement('lineStartEscape', 'Line Start Escape Pattern', 'Replaces the escapes at line starts', 'value', false),
    atLeast(0, number('maxConsecutiveNewlines', 'Max Consecutive New Lines', 3, 'Maximum number of consecutive line breaks')),
    toggle(
      'useLinkReferenceDefinitions',
      'Place URLs At The Bottom',
      'Whether links are references, with their addresses at the end',
    ),
    text('strongDelimiter', 'Strong Delimiter', 'Delimiter for strong text', { default: '**' }),
    choice('codeBlockStyle', 'Style For Code Block', choices(['fence', 'Fence'], ['indented', 'Indented'])),
    replacement('textReplace', 'Text Replacement Pattern', 'Replacements in text', 'values', true),
    names('blockElements', 'Treat As Blocks', 'Elements to surround with blank lines, separated by commas'),
  ],
  toMarkdown,
);

const htmlOptions = options(
  [
    toggle('openLinksInNewWindow', 'Open Links in New Window', 'Whether links get `target="_blank"`'),
    toggle('simplifiedAutoLink', 'Automatic Linking to URLs', 'Whether addresses in text become links'),
    toggle('backslashEscapesHTMLTags', 'Backslash Escapes HTML Tags', 'Whether `\\\\<b>` shows the tag as text'),
    toggle('completeHTMLDocument', 'Complete HTML Document', 'Whether the HTML is a whole document'),
    toggle('customizedHeaderId', 'Customized Header ID', 'Whether `# Title {id}` sets a heading’s ID'),
    toggle('emoji', 'Emoji Support', 'Whether `:smile:` becomes the emoji'),
    toggle('encodeEmails', 'Encode Emails', 'Whether email addresses in `<>` become random character entities', {
      default: true,
    }),
    toggle(
      'excludeTrailingPunctuationFromURLs',
      'Exclude Trailing Punctuation From URLs',
      'Whether linked addresses end before punctuation',
    ),
    toggle('ghCodeBlocks', 'GitHub Code Blocks', 'Whether fenced code blocks are supported', { default: true }),
    toggle('ghCompatibleHeaderId', 'GitHub Compatible Header IDs', 'Whether heading IDs have dashes instead of spaces'),
    text('ghMentionsLink', 'GitHub Mention Link', 'URL of mentions; `{u}` is the name', {
      default: 'https://github.com/{u}',
    }),
    toggle('ghMentions', 'GitHub Mentions', 'Whether `@name` becomes a link'),
    toggle('tasklists', 'GitHub Task Lists', 'Whether `- [x]` becomes a checkbox'),
    number('headerLevelStart', 'Header Level Start', 1, 'The level of `#`'),
    toggle('requireSpaceBeforeHeadingText', 'Mandatory Space Before Heading', 'Whether `#Title` without a space is plain text'),
    toggle('literalMidWordAsterisks', 'Middle Word Asterisks', 'Whether to keep asterisks within words'),
    toggle('literalMidWordUnderscores', 'Middle Word Underscores', 'Whether to keep underscores within words'),
    toggle('noHeaderId', 'No Header ID', 'Whether to omit heading IDs'),
    toggle('parseImgDimensions', 'Parse Image Dimensions', 'Whether `![](a.png =100x80)` sets the size of the image'),
    text('prefixHeaderId', 'Prefix Header ID', 'Prefix of heading IDs', { default: 'section' }),
    toggle('rawHeaderId', 'Raw Header ID', 'Whether heading IDs keep all characters except spaces and quotes'),
    toggle('rawPrefixHeaderId', 'Raw Prefix Header ID', 'Whether to keep the prefix unchanged'),
    toggle('simpleLineBreaks', 'Simple Line Breaks', 'Whether each line break becomes a line break in HTML'),
    toggle(
      'smartIndentationFix',
      'Smart Indentation Fix',
      'Whether indentation that comes from the surrounding code is removed',
    ),
    toggle(
      'disableForced4SpacesIndentedSublists',
      'Spaces Indented Sublists',
      'Whether nested lists may be indented by 2 or 3 spaces instead of 4',
    ),
    toggle('splitAdjacentBlockquotes', 'Split Adjacent Blockquotes', 'Whether a blank line ends a quote'),
    toggle('strikethrough', 'Strikethrough', 'Whether `~~text~~` is struck through'),
    toggle('tablesHeaderId', 'Tables Header ID', 'Whether column titles get IDs'),
    toggle('tables', 'Tables Support', 'Whether tables are supported'),
  ],
  toHtml,
);

export const markdownProperties: readonly NodeProperty[] = [
  choice('mode', 'Mode', choices(['markdownToHtml', 'Markdown to HTML'], ['htmlToMarkdown', 'HTML to Markdown']), {
    default: 'htmlToMarkdown',
  }),
  text('html', 'HTML', 'The HTML to convert', { required: true, ...toMarkdown }),
  text('markdown', 'Markdown', 'The Markdown to convert', { required: true, ...toHtml }),
  text('destinationKey', 'Destination Key', 'Field for the result; dots separate nested fields', { default: 'data' }),
  markdownOptions,
  htmlOptions,
];
