import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, options, text, toggle, where } from '../../shared/properties.ts';

const writing = where({ mode: ['jsonToxml'] });
const reading = where({ mode: ['xmlToJson'] });

const keys = [
  text('attrkey', 'Attribute Key', 'Field that contains attributes', { default: '$' }),
  text('charkey', 'Character Key', 'Field that contains text, alongside attributes', { default: '_' }),
];

export const xmlProperties: readonly NodeProperty[] = [
  choice('mode', 'Mode', choices(['jsonToxml', 'JSON to XML'], ['xmlToJson', 'XML to JSON']), { default: 'xmlToJson' }),
  text('dataPropertyName', 'Property Name', 'Field that contains the XML, or to which it is written', {
    default: 'data',
    required: true,
  }),
  options(
    [
      toggle('allowSurrogateChars', 'Allow Surrogate Chars', 'Whether characters beyond the basic plane are allowed'),
      ...keys,
      toggle('cdata', 'Cdata', 'Whether to wrap text in CDATA instead of escaping it'),
      toggle('headless', 'Headless', 'Whether to omit the XML declaration'),
      text('rootName', 'Root Name', 'Name of the root element, unless the item has exactly one field', {
        default: 'root',
      }),
    ],
    writing,
  ),
  options(
    [
      ...keys,
      toggle('explicitArray', 'Explicit Array', 'Whether each element is a list, even a single element'),
      toggle('explicitRoot', 'Explicit Root', 'Whether to keep the root element as a field', { default: true }),
      toggle('ignoreAttrs', 'Ignore Attributes', 'Whether to omit attributes'),
      toggle('mergeAttrs', 'Merge Attributes', 'Whether attributes are fields like elements', { default: true }),
      toggle('normalize', 'Normalize', 'Whether to collapse white space within text to single spaces'),
      toggle('normalizeTags', 'Normalize Tags', 'Whether to convert element names to lower case'),
      toggle('trim', 'Trim', 'Whether to remove white space around text'),
    ],
    reading,
  ),
];
