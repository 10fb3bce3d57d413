import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, options, text, toggle, where } from '../../shared/properties.ts';

const writing = where({ mode: ['jsonToxml'] });
const reading = where({ mode: ['xmlToJson'] });

const keys = [
  text('attrkey', 'Attribute Key', 'The field that holds attributes', { default: '$' }),
  text('charkey', 'Character Key', 'The field that holds text, alongside attributes', { default: '_' }),
];

export const xmlProperties: readonly NodeProperty[] = [
  choice('mode', 'Mode', choices(['jsonToxml', 'JSON to XML'], ['xmlToJson', 'XML to JSON']), { default: 'xmlToJson' }),
  text('dataPropertyName', 'Property Name', 'The field that holds the XML, or that it is written to', {
    default: 'data',
    required: true,
  }),
  options(
    [
      toggle('allowSurrogateChars', 'Allow Surrogate Chars', 'Whether characters beyond the basic plane are allowed'),
      ...keys,
      toggle('cdata', 'Cdata', 'Whether to wrap text in CDATA instead of escaping it'),
      toggle('headless', 'Headless', 'Whether the XML declaration is left out'),
      text('rootName', 'Root Name', 'The name of the root element, where the item has not exactly one field', {
        default: 'root',
      }),
    ],
    writing,
  ),
  options(
    [
      ...keys,
      toggle('explicitArray', 'Explicit Array', 'Whether each element is a list, also a single one'),
      toggle('explicitRoot', 'Explicit Root', 'Whether to keep the root element as a field', { default: true }),
      toggle('ignoreAttrs', 'Ignore Attributes', 'Whether attributes are left out'),
      toggle('mergeAttrs', 'Merge Attributes', 'Whether attributes are fields like elements', { default: true }),
      toggle('normalize', 'Normalize', 'Whether white space within text becomes single blanks'),
      toggle('normalizeTags', 'Normalize Tags', 'Whether names of elements become lower case'),
      toggle('trim', 'Trim', 'Whether white space around text is removed'),
    ],
    reading,
  ),
];
