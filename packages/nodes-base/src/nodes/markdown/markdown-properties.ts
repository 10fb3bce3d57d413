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
  description: `${description}; regular expressions have the syntax of RE2`,
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
    text('bulletMarker', 'Bullet Marker', 'Marker of list entries', { default: '*' }),
    text('codeFence', 'Code Block Fence', 'Delimiter of code blocks', { default: '```' }),
    text('emDelimiter', 'Emphasis Delimiter', 'Delimiter of emphasis', { default: '_' }),
    replacement('globalEscape', 'Global Escape Pattern', 'Replaces the escapes that are the default', 'value', false),
    names('ignore', 'Ignored Elements', 'Elements that are left out, separated by commas'),
    toggle('keepDataImages', 'Keep Images With Data', 'Whether images with `data:` addresses stay'),
    replacement('lineStartEscape', 'Line Start Escape Pattern', 'Replaces the escapes at line starts', 'value', false),
    atLeast(0, number('maxConsecutiveNewlines', 'Max Consecutive New Lines', 3, 'The most line breaks in a row')),
    toggle(
      'useLinkReferenceDefinitions',
      'Place URLs At The Bottom',
      'Whether links are references, their addresses at the end',
    ),
    text('strongDelimiter', 'Strong Delimiter', 'Delimiter of strong text', { default: '**' }),
    choice('codeBlockStyle', 'Style For Code Block', choices(['fence', 'Fence'], ['indented', 'Indented'])),
    replacement('textReplace', 'Text Replacement Pattern', 'Replacements in text', 'values', true),
    names('blockElements', 'Treat As Blocks', 'Elements that get blank lines around them, separated by commas'),
  ],
  toMarkdown,
);

const htmlOptions = options(
  [
    toggle('openLinksInNewWindow', 'Open Links in New Window', 'Whether links get `target="_blank"`'),
    toggle('simplifiedAutoLink', 'Automatic Linking to URLs', 'Whether addresses in text become links'),
    toggle('backslashEscapesHTMLTags', 'Backslash Escapes HTML Tags', 'Whether `\\\\<b>` shows the tag as text'),
    toggle('completeHTMLDocument', 'Complete HTML Document', 'Whether the HTML is a whole document'),
    toggle('customizedHeaderId', 'Customized Header ID', 'Whether `# Title {id}` names the id of a heading'),
    toggle('emoji', 'Emoji Support', 'Whether `:smile:` becomes the emoji'),
    toggle('encodeEmails', 'Encode Emails', 'Whether email addresses in `<>` become random character entities', {
      default: true,
    }),
    toggle(
      'excludeTrailingPunctuationFromURLs',
      'Exclude Trailing Punctuation From URLs',
      'Whether linked addresses end before punctuation',
    ),
    toggle('ghCodeBlocks', 'GitHub Code Blocks', 'Whether code may be fenced', { default: true }),
    toggle('ghCompatibleHeaderId', 'GitHub Compatible Header IDs', 'Whether ids of headings have dashes for blanks'),
    text('ghMentionsLink', 'GitHub Mention Link', 'URL of mentions; `{u}` is the name', {
      default: 'https://github.com/{u}',
    }),
    toggle('ghMentions', 'GitHub Mentions', 'Whether `@name` becomes a link'),
    toggle('tasklists', 'GitHub Task Lists', 'Whether `- [x]` becomes a checkbox'),
    number('headerLevelStart', 'Header Level Start', 1, 'The level of `#`'),
    toggle('requireSpaceBeforeHeadingText', 'Mandatory Space Before Heading', 'Whether `#Title` without a space is plain text'),
    toggle('literalMidWordAsterisks', 'Middle Word Asterisks', 'Whether asterisks within words stay as they are'),
    toggle('literalMidWordUnderscores', 'Middle Word Underscores', 'Whether underscores within words stay as they are'),
    toggle('noHeaderId', 'No Header ID', 'Whether headings have no ids'),
    toggle('parseImgDimensions', 'Parse Image Dimensions', 'Whether `![](a.png =100x80)` sets the size of the image'),
    text('prefixHeaderId', 'Prefix Header ID', 'Prefix of heading IDs', { default: 'section' }),
    toggle('rawHeaderId', 'Raw Header ID', 'Whether ids of headings keep all but blanks and quotes'),
    toggle('rawPrefixHeaderId', 'Raw Prefix Header ID', 'Whether the prefix stays as it is'),
    toggle('simpleLineBreaks', 'Simple Line Breaks', 'Whether each line break is one in HTML'),
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
    toggle('tablesHeaderId', 'Tables Header ID', 'Whether titles of columns get ids'),
    toggle('tables', 'Tables Support', 'Whether tables are known'),
  ],
  toHtml,
);

export const markdownProperties: readonly NodeProperty[] = [
  choice('mode', 'Mode', choices(['markdownToHtml', 'Markdown to HTML'], ['htmlToMarkdown', 'HTML to Markdown']), {
    default: 'htmlToMarkdown',
  }),
  text('html', 'HTML', 'The HTML to convert', { required: true, ...toMarkdown }),
  text('markdown', 'Markdown', 'The Markdown to convert', { required: true, ...toHtml }),
  text('destinationKey', 'Destination Key', 'The field for the result; dots write into objects', { default: 'data' }),
  markdownOptions,
  htmlOptions,
];
